import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { measure } from '@muster/testing/measure'

const runner = fileURLToPath(new URL('../test.ts', import.meta.url))

/** `npm test` with these arguments. No test here uses the database, so any address will do. */
function runTests(...args: string[]) {
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env
  const env = { ...rest, DATABASE_URL: 'postgres://unused@127.0.0.1:1/unused' }
  const options = { env, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [runner, ...args], options)
  return { status, output: stdout + stderr }
}

/** Runs a test file with this test. */
function runTest(body: string) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-gate-'))
  const file = join(folder, 'some.test.mjs')
  const measured = JSON.stringify(import.meta.resolve('@muster/testing/measure'))
  const lines = [
    `import { test } from 'node:test'`,
    `import { measure } from ${measured}`,
    `test('some', (t) => { ${body} })`,
  ]
  writeFileSync(file, lines.join('\n'))
  const ended = runTests(file)
  rmSync(folder, { recursive: true })
  return ended
}

// Guards against a runner that exits with 0 although a test failed.
for (const [what, body, code] of [
  ['passes when a test passes', '', 0],
  ['fails when a test fails', `throw new Error('on purpose')`, 1],
  ['passes when a time misses its bound', `measure(t, 'it', { value: 29, atMost: 10 })`, 0],
  ['fails beyond 3 times the bound', `measure(t, 'it', { value: 31, atMost: 10 })`, 1],
  ['fails below a third of a lower bound', `measure(t, 'it', { value: 3, atLeast: 10 })`, 1],
] as const) {
  test(`npm test ${what}`, () => {
    const { status, output } = runTest(body)
    assert.equal(status, code, output)
  })
}

test('a failing test is run once', () => {
  const { output } = runTest(`console.log('ran'); throw new Error('on purpose')`)
  assert.equal(output.match(/^ran$/gm)?.length, 1, output)
})

test('npm test selects files by the beginning of their name', () => {
  const { status, output } = runTests('changelog')
  assert.equal(status, 0, output)
  assert.match(output, /^ℹ fail 0$/m)
  assert.doesNotMatch(output, /^ℹ tests 0$/m)
})

test('npm test refuses a name that no file has', () => {
  const { status, output } = runTests('no-such-test')
  assert.equal(status, 2, output)
  assert.match(output, /begins with no-such-test/)
})

test('a measurement is printed with its bound', () => {
  const printed: string[] = []
  const output = { diagnostic: (text: string) => printed.push(text) }
  measure(output, 'p99', { value: 12.345, atMost: 10 })
  measure(output, 'throughput', { value: 0.4, atLeast: 0.5, unit: 'of the peak' })
  const expected = ['p99: 12.3 ms (at most 10)', 'throughput: 0.4 of the peak (at least 0.5)']
  assert.deepEqual(printed, expected)
})
