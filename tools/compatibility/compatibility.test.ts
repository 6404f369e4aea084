import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { findBreakingChanges } from './breaking-changes.ts'
import { widenings, breakages } from './changes.ts'
import { readDocuments } from './released.ts'

const { released, present, intended } = readDocuments(
  fileURLToPath(new URL('../../', import.meta.url)),
)

test('every breaking change since the last release is listed with its reason', () => {
  const changes = findBreakingChanges(released, present)
  const help = 'Undo it, or list it with a reason in packages/contract/breaking-changes.json.'
  for (const change of changes) {
    assert.match(intended[change] ?? '', /^[A-Z].{19,}\.$/s, `${change}. ${help}`)
  }
  assert.deepEqual(Object.keys(intended), changes, 'only changes that exist are listed, in order')
})

test('reports each kind of breaking change', () => {
  for (const [expected, change] of Object.entries(breakages)) {
    const changed = structuredClone(released)
    change(changed)
    const found = findBreakingChanges(released, changed)
    assert.ok(found.includes(expected), `${expected}\nfound: ${found.join('\n')}`)
  }
})

test('reports no change that clients survive', () => {
  assert.deepEqual(findBreakingChanges(released, released), [])
  for (const [name, change] of Object.entries(widenings)) {
    const changed = structuredClone(released)
    change(changed)
    assert.notDeepEqual(changed, released, name)
    assert.deepEqual(findBreakingChanges(released, changed), [], name)
  }
})

test('reads every operation and every shared schema of the document', () => {
  const removed = Object.entries(released.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path} is removed`),
  )
  assert.deepEqual(findBreakingChanges(released, { ...released, paths: {} }), removed)
  const marked = structuredClone(released)
  const { schemas } = marked.components
  for (const name of Object.keys(schemas)) schemas[name] = { ...schemas[name], pattern: name }
  const found = [findBreakingChanges(released, marked), findBreakingChanges(marked, released)]
  const unread = Object.keys(schemas).filter(
    (name) => !new RegExp(String.raw`\b${name}\b`).test(found.join()),
  )
  assert.deepEqual(unread, [])
})

test('refuses to compare a keyword that it does not know', () => {
  const changed = structuredClone(released)
  Object.assign(changed.components.schemas['Person'] ?? {}, { oneOf: [] })
  assert.throws(() => findBreakingChanges(released, changed), /keyword oneOf cannot be compared/)
})
