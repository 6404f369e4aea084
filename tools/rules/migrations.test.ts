import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const folder = 'packages/api/migrations'
const list = 'SHA256SUMS'

type Files = Readonly<Record<string, string>>

/** The text of each file of the folder, by name. */
function readFolder(): Files {
  const names = readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')])
  return Object.fromEntries(names)
}

/** What a developer must correct, one sentence for each file. */
function faults({ [list]: sums = '', ...files }: Files): string[] {
  const listed = new Map(
    Array.from(sums.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm), ([, sum, name]) => [name, sum]),
  )
  const changed = listed.entries().flatMap(([name = '', sum]) => {
    const text = files[name]
    if (text === undefined) return [`${name} is missing. ${restore(name)}`]
    return sumOf(text) === sum
      ? []
      : [`${name} has changed. ${restore(name)} Put the change into a new file.`]
  })
  const unlisted = Object.keys(files).filter((name) => !listed.has(name))
  return [...changed, ...unlisted.map((name) => `${name} is not in ${list}. Run: npm run golden`)]
}

const sumOf = (text: string) =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

/** Adds the files that are not listed. A line that exists never changes. */
function addSums({ [list]: sums = '', ...files }: Files): void {
  for (const [name, text] of Object.entries(files)) {
    if (!sums.includes(`  ${name}\n`))
      appendFileSync(`${folder}/${list}`, `${sumOf(text)}  ${name}\n`)
  }
}

const restore = (name: string) =>
  `Applied migrations never change: run git checkout ${folder}/${name}.`

test('applied migrations never change', () => {
  if (process.env['UPDATE_GOLDEN'] === '1') addSums(readFolder())
  assert.deepEqual(faults(readFolder()), [])
})

test('a changed, removed or unlisted migration is found, other line ends are not', () => {
  const files = readFolder()
  const { '0003_projects.sql': text = '' } = files
  const of = (name: string, changed: string) => faults({ ...files, [name]: changed })
  const { '0003_projects.sql': _, ...fewer } = files
  const never = 'Applied migrations never change: run git checkout'
  const path = 'packages/api/migrations/0003_projects.sql'
  assert.deepEqual(of('0003_projects.sql', `${text}-- A comment.\n`), [
    `0003_projects.sql has changed. ${never} ${path}. Put the change into a new file.`,
  ])
  assert.deepEqual(faults(fewer), [`0003_projects.sql is missing. ${never} ${path}.`])
  assert.deepEqual(of('9999_new.sql', 'select 1;'), [
    '9999_new.sql is not in SHA256SUMS. Run: npm run golden',
  ])
  assert.deepEqual(of('0003_projects.sql', text.replaceAll('\n', '\r\n')), [])
})
