import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../src/', import.meta.url)

/** A change of a noun refetches what is cached under it, also on a page that was left. */
test('every resource is cached under the noun that it is read from', () => {
  const files = globSync('nouns/*/actions.ts', { cwd: root })
  const pairs = files.flatMap((file) =>
    Array.from(
      readFileSync(new URL(file, root), 'utf8').matchAll(
        /\bresource<[^>]+>\(\{\s+noun: '(\w+)',.*?\bview: [^\n]*\bclient\.(\w+)\.view\(/gs,
      ),
      ([, noun, read]) => `${noun} ${read}`,
    ),
  )
  const nouns = ['groups', 'issues', 'keys', 'personnel', 'projects', 'risks', 'tasks']
  assert.deepEqual(
    pairs.toSorted(),
    nouns.map((noun) => `${noun} ${noun}`),
  )
})
