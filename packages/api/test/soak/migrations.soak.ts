import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { isList } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'
import { measure } from '@muster/testing/measure'
import { addWorktree, removeWorktree } from '@muster/testing/worktree'

import { migrate } from '#storage/migration/migrate'
import { connect } from '#test/support/database'
import { createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { startProcess } from '#test/support/process'
import { type Timed, timed } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { soak, soakMs } from './length.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const root = here('../../../../')
const delayMsMax = 150

/** The current migrations plus examples for a later release. */
function expandedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-migrations-'))
  atEnd(async () => rmSync(folder, { recursive: true }))
  cpSync(here('../../migrations/'), folder, { recursive: true })
  cpSync(here('next-release/'), folder, { recursive: true })
  return `${folder}/`
}

const folder = expandedFolder()
const nextRelease = readdirSync(here('next-release/')).map((file) => file.replace('.sql', ''))

/** Every list without path parameters. */
const lists = keyOperations().flatMap(({ operation }) =>
  isList(operation) && !operation.path.includes('{') ? [`${operation.path}?limit=10`] : [],
)

interface Span {
  readonly at: number
  readonly ms: number
}

interface Answer extends Timed, Span {}

/** Reads all lists in turn until aborted. */
async function read(base: string, token: string | null, until: AbortSignal): Promise<Answer[]> {
  const headers = { authorization: `Bearer ${token}` }
  const answers: Answer[] = []
  while (!until.aborted) {
    for (const path of lists) {
      const answer = await timed(new URL(path, base), { headers })
      answers.push({ ...answer, at: performance.now() })
    }
  }
  return answers
}

/** Holds table locks in transactions of 1 s each until aborted. */
async function hold(url: string, until: AbortSignal): Promise<void> {
  const sql = await connect(url)
  while (!until.aborted) {
    await sql.query(`begin; select count(*) from people, risks, issues, projects, groups;
      select pg_sleep(1); commit`)
    await sleep(100)
  }
  await sql.end()
}

/**
 * Commits to a table of its own until aborted. A migration holds its locks until its commit is on
 * disk, so a slow disk delays reads as long as it delays these commits.
 */
async function commit(url: string, until: AbortSignal): Promise<Span[]> {
  const sql = await connect(url)
  await sql.query('create table public.commits (at timestamptz)')
  const commits: Span[] = []
  while (!until.aborted) {
    const began = performance.now()
    await sql.query('insert into public.commits values (now())')
    const at = performance.now()
    commits.push({ at, ms: at - began })
    await sleep(5)
  }
  await sql.end()
  return commits
}

const worst = (spans: readonly Span[], from: number, to: number) =>
  Math.max(0, ...spans.filter(({ at, ms }) => at > from && at - ms < to).map(({ ms }) => ms))

test(`migrations do not block reads ${soak.name}`, async (t) => {
  const host = await startHost()
  const manager = await (await newWorkspace(host)).manager()
  await createFixture(manager)
  const { base } = await startProcess(host.url)
  const stop = new AbortController()
  const reading = [1, 2, 3, 4].map(() => read(base, manager.token, stop.signal))
  const holding = hold(host.url, stop.signal)
  const committing = commit(host.url, stop.signal)
  await sleep(1000)
  const began = performance.now()
  await sleep(Math.max(5000, soakMs / 4))
  const spans: [name: string, from: number, to: number][] = []
  for (const last of nextRelease) {
    const from = performance.now()
    assert.deepEqual(await migrate(host.url, { folder: pathToFileURL(folder), last }), [last])
    spans.push([last, from, performance.now()])
    await sleep(500)
  }
  const firstFrom = spans[0]?.[1] ?? 0
  stop.abort()
  await holding
  const answers = (await Promise.all(reading)).flat()
  const commits = await committing
  const before = worst(answers, began, firstFrom)
  t.diagnostic(`the worst of ${answers.length} reads took ${before.toFixed(0)} ms before`)
  for (const [name, from, to] of spans) {
    const disk = worst(commits, from, to)
    t.diagnostic(
      `${name}: applied in ${(to - from).toFixed(0)} ms, slowest commit ${disk.toFixed(0)} ms`,
    )
    const atMost = before + delayMsMax + disk
    measure(t, `worst read during ${name}`, { value: worst(answers, from, to), atMost })
  }
  const refused = answers.filter(({ status }) => status !== 200)
  assert.deepEqual(refused, [], 'every read succeeds')
})

/** The tests of the contract. A release may have them in another folder. */
const suite = [
  'examples.test.ts',
  ...(soak.minutes < 2 ? [] : ['http.test.ts', 'authenticate.test.ts']),
]

function runSuite(of: string, env: Record<string, string> = {}): string {
  const files = suite.flatMap((name) => globSync(`packages/api/test/**/${name}`, { cwd: of }))
  assert.equal(files.length, suite.length, files.join())
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['--test', ...files], {
    cwd: of,
    env: { ...inherited, ...env },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout.slice(-5000))
  return /tests \d+/.exec(stdout)?.[0] ?? 'no tests'
}

test(`this release works on the schema of the next ${soak.name}`, async (t) => {
  t.diagnostic(runSuite(root, { MIGRATIONS_FOLDER: folder }))
})

const previous = process.env['SOAK_PREVIOUS']

test(
  `the previous release works on the schema of this one ${soak.name}`,
  { skip: previous === undefined && 'pass a commit with --previous' },
  async (t) => {
    const tree = addWorktree(previous ?? '')
    atEnd(async () => removeWorktree(tree))
    const migrations = 'packages/api/migrations'
    rmSync(join(tree, migrations), { recursive: true })
    cpSync(join(root, migrations), join(tree, migrations), { recursive: true })
    t.diagnostic(runSuite(tree))
  },
)
