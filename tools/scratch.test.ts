import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'

import { addWorktree, removeWorktree } from '@muster/testing/worktree'

import { isMigration, ScratchCopy } from './scratch/copy.ts'
import type { Edit } from './scratch/edit.ts'
import { fieldEdits } from './scratch/field.ts'
import { nounEdits } from './scratch/noun.ts'
import { pageEdits } from './scratch/page.ts'

/**
 * `npm test -- --long scratch`: follows the lists of CONTRIBUTING.md in a copy of the last commit.
 * With all steps the compiler and the generic tests pass. Without any one of them, the compiler or
 * the test that is named fails.
 */
interface List {
  readonly edits: readonly Edit[]
  readonly filesMax: number
  /** The generic tests that follow the addition. */
  readonly tests: readonly string[]
}

const generic = [
  ...['contract', 'examples', 'golden', 'openapi'].map(
    (name) => `packages/contract/test/${name}.test.ts`,
  ),
  ...['examples', 'fields', 'filters', 'noun-tests'].map(
    (name) => `packages/api/test/contract/${name}.test.ts`,
  ),
  'packages/api/test/database/schema.test.ts',
  'packages/api/test/ops/workspace-import.test.ts',
  'packages/console/test/*.test.ts',
  'tools/reference/reference.test.ts',
  'tools/rules/changelog.test.ts',
  'tools/rules/migrations.test.ts',
]

const tenancy = [
  'packages/api/test/auth/credentials/authenticate.test.ts',
  'packages/api/test/database/tenants.test.ts',
  'packages/api/test/drift/drift.test.ts',
  'packages/api/test/nouns/sites.test.ts',
]

const lists: Readonly<Record<string, List>> = {
  'Add a field': { edits: fieldEdits, filesMax: 8, tests: generic },
  'Add a noun': { edits: nounEdits, filesMax: 15, tests: [...generic, ...tenancy] },
  'Add a page to the console': {
    edits: pageEdits,
    filesMax: 7,
    tests: ['packages/console/test/*.test.ts'],
  },
}

const contributing = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8')

/** The files of the numbered steps below a heading. */
function filesOf(heading: string): string[] {
  const [, section = ''] = contributing.split(`## ${heading}\n`)
  const [own = ''] = section.split(/^## /m)
  return Array.from(own.matchAll(/^\d+\. `([^`]+)`/gm), ([, file = '']) => file)
}

for (const [heading, { edits, filesMax }] of Object.entries(lists)) {
  test(`"${heading}" lists the files of its steps, at most ${filesMax}`, (t) => {
    const files = [...new Set(edits.map(({ file }) => file))]
    assert.deepEqual(filesOf(heading), files)
    assert.ok(files.length <= filesMax, `${files.length} files`)
    t.diagnostic(`${files.length} files by hand`)
  })
}

/** A statement that is not in queries.sql fails there, until npm run golden adds it. */
const isStatement = (name: string) => name.endsWith('/at-end.ts')

/** The file of an edit, with the first line that it adds to it. */
function nameOf({ file, inserts }: Edit): string {
  const [[place, added] = ['', '']] = inserts
  return place === '' ? file : `${file} (${added.trim().split('\n')[0]})`
}

const skip = process.env['MUSTER_LONG'] === '1' ? false : 'run with --long'

for (const [heading, { edits, tests }] of Object.entries(lists)) {
  void describe(heading, { skip }, () => {
    let copy: ScratchCopy
    let folder: string
    before(() => {
      folder = addWorktree('HEAD')
      copy = new ScratchCopy(folder)
      copy.make(edits)
      if (edits.some(isMigration)) assert.deepEqual(copy.writeGolden(), [])
      assert.deepEqual(copy.compile(), [])
      copy.keep()
    })
    after(() => removeWorktree(folder))

    test('with all steps the generic tests pass', () => {
      assert.deepEqual(copy.failures(tests), [])
    })

    const files = filesOf(heading)
    for (const edit of edits) {
      const step = files.indexOf(edit.file) + 1
      test(`without step ${step}, ${nameOf(edit)}, ${edit.foundBy} fails`, (t) => {
        copy.omit(edit)
        const found =
          edit.foundBy === 'compiler'
            ? copy.compile()
            : copy.failures([edit.foundBy]).filter((name) => !isStatement(name))
        const [first] = found
        assert.ok(first, `${edit.foundBy} passes`)
        t.diagnostic(first)
      })
    }
  })
}
