import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Lines that are neither empty nor comments, as the command on the page counts them. */
const linesOf = (path: string) =>
  read(path)
    .trimEnd()
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*|#|$)/.test(line)).length

test('docs/scale.md states the number of lines of each file in its table', () => {
  const row = /^\|.*\| (\d+)(?:, configuration)? \| `([\w/.-]+)` \|$/gm
  const stated = Array.from(read('docs/scale.md').matchAll(row), ([, lines = '', path = '']) => ({
    path,
    lines: Number(lines),
  }))
  assert.equal(stated.length, 5)
  const counted = stated.map(({ path }) => ({ path, lines: linesOf(path) }))
  assert.deepEqual(stated, counted, 'write the counted lines into docs/scale.md')
})
