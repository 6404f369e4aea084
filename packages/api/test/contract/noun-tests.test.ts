import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { operations } from '@muster/contract'

const tests = globSync('**/*.test.ts', { cwd: fileURLToPath(new URL('../', import.meta.url)) })

test('every noun has a test file of its name', () => {
  const names = new Set(tests.map((path) => basename(path, '.test.ts')))
  const missing = Object.keys(operations).filter((noun) => !names.has(noun.replaceAll('_', '-')))
  assert.deepEqual(missing, [])
})
