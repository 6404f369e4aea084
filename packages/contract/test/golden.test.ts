import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'

import { openapi, responseShapes, routes } from '@muster/contract/openapi'

import { textLimits } from '#contract/text-limits'

const contract = new URL('../', import.meta.url)
const isUpdating = process.env['UPDATE_GOLDEN'] === '1'

function assertGolden(name: string, value: object): void {
  const file = new URL(name, contract)
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (isUpdating) writeFileSync(file, text)
  assert.equal(text, readFileSync(file, 'utf8'), `${name} has changed. Run: npm run golden`)
}

test('openapi.json matches the contract', () => {
  assertGolden('openapi.json', openapi())
})

test('routes.json matches the contract', () => {
  assertGolden('routes.json', routes())
})

test('text-limits.json matches the contract', () => {
  assertGolden('text-limits.json', textLimits())
})

test('the revision changes with the response schemas', () => {
  const file = new URL('revisions.json', contract)
  const known: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
  const latest = Math.max(...Object.keys(known).map(Number))
  const shape = createHash('sha256').update(JSON.stringify(responseShapes())).digest('hex')
  if (isUpdating && known[latest] !== shape) {
    known[latest + 1] = shape
    writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`)
  } else assert.equal(shape, known[latest], 'A response schema has changed. Run: npm run golden')
})
