import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeDemoKeys, seed } from '@muster/api/seed'
import { atEnd } from '@muster/testing/at-end'

import { addPerson } from '#domain/people/personnel'
import { exportParts, exportWorkspace } from '#domain/workspace/export'
import { Sweeper } from '#domain/workspace/sweep'
import { closeWorkspace, removalOrder, removeRows } from '#domain/workspace/workspace-lifecycle'
import { createPool } from '#storage/connection/pool'
import { selectTenantTables } from '#storage/nouns/removal'
import { Database } from '#storage/transaction/database'
import { uuidOf } from '#storage/values/id'
import { outcome } from '#test/auth/browser'
import { Client, type Json } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { longTimeouts } from '#test/support/long-timeouts'
import { sweepDue } from '#test/support/sweep'
import { newWorkspace, startHost } from '#test/support/workspace'

import { admin, adminOnTerminal } from './admin.ts'

const host = await startHost()
const run = (...args: string[]) => admin(host.url, ...args)
const folder = mkdtempSync(join(tmpdir(), 'muster-export-'))
atEnd(async () => rmSync(folder, { recursive: true }))

const { workspaceId: storyId } = await seed(host.owner)
const keys = await makeDemoKeys(host.owner, storyId)
const manager = new Client(host.base, keys.manager)

const linesOf = (path: string): Json[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** Every table with a workspace_id, from the catalogue rather than from our code. */
async function tenantTables(): Promise<string[]> {
  const { rows } = await host.sql.query(
    `select table_name::text as name from information_schema.columns
     where table_schema = 'muster' and column_name = 'workspace_id' order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Row count and content hash per table, of a workspace or of all others. */
async function rowDigests(uuid: string, isOwn = true): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const table of [...(await tenantTables()), 'workspaces']) {
    const column = table === 'workspaces' ? 'id' : 'workspace_id'
    const { rows } = await host.sql.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as digest
       from ${table} as t where ${column} ${isOwn ? '=' : '<>'} $1`,
      [uuid],
    )
    found[table] = rows[0].digest
  }
  return found
}

/** All responses of the API for the seed data. */
const without =
  (name: string) =>
  (item: Json): Json =>
    Object.fromEntries(Object.entries(item).filter(([each]) => each !== name))

/** What the export has, too: changes of identities are a part of their own, and marks are new. */
async function apiState(): Promise<Record<string, Json[]>> {
  const all = async (path: string) => (await manager.get(path)).body.data as Json[]
  const projects = await all(
    '/v1/projects?status=planned,active,on_hold,completed,cancelled,archived',
  )
  const groups = await all('/v1/groups?status=active,archived')
  const of = async (items: Json[], path: (id: string) => string, named: string | null = null) => {
    const found: Json[] = []
    for (const { id } of items) {
      found.push(...(await all(path(id))).map((item) => (named ? { [named]: id, ...item } : item)))
    }
    return found
  }
  return {
    workspace: [(await manager.get('/v1/workspace')).body],
    personnel: await all('/v1/personnel?status=active,suspended,departed'),
    groups,
    members: await of(groups, (id) => `/v1/groups/${id}/members`, 'group_id'),
    projects,
    risks: await of(projects, (id) => `/v1/projects/${id}/risks`),
    issues: await of(projects, (id) => `/v1/projects/${id}/issues`),
    tasks: await all('/v1/tasks?status=todo,in_progress,blocked,done,cancelled'),
    access: (await manager.get('/v1/access')).body.entries.map(without('identity_change')),
    audit: (await all('/v1/audit')).map(without('is_imported')),
  }
}

/** A line of an export as the API shows it. A role also has what an import needs. */
function shown(part: string, line: Json): Json {
  if (part !== 'access') return line
  const { version, created_at, ...entry } = line
  assert.ok(version > 0 && created_at, JSON.stringify(line))
  return entry
}

test('exports what the API returns, with every event and every state, and no secret', async () => {
  const to = join(folder, 'northwater')
  const [reader] = (await manager.get('/v1/personnel')).body.data
  const entries = [{ role: 'reader', user_id: reader.id }]
  assert.equal((await manager.send('PUT', '/v1/access', { body: { entries } })).status, 200)
  const { code, stderr } = await run('workspace', 'export', 'Northwater', '--to', to)
  assert.equal(code, 0, stderr)

  const files = [...exportParts.map((part) => `${part}.ndjson`), 'manifest.json']
  assert.deepEqual(readdirSync(to).toSorted(), files.toSorted())
  for (const file of files) assert.equal(statSync(join(to, file)).mode & 0o777, 0o600)
  assert.equal(statSync(to).mode & 0o777, 0o700)
  const manifest = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'))
  assert.equal(manifest.workspace_id, storyId)
  for (const part of exportParts) {
    assert.equal(linesOf(join(to, `${part}.ndjson`)).length, manifest.counts[part], part)
    assert.match(stderr, new RegExp(`\\b${manifest.counts[part]} ${part}\\b`))
  }
  for (const [part, items] of Object.entries(await apiState())) {
    assert.ok(items.length > 0, part)
    const lines = linesOf(join(to, `${part}.ndjson`)).map((line) => shown(part, line))
    assert.deepEqual(lines, items, part)
  }

  const { rows } = await host.sql.query(
    `select (select count(*)::int from events where workspace_id = $1) as events,
       (select count(*)::int from history where workspace_id = $1) as history,
       (select seq::int from workspace_counters where workspace_id = $1) as seq`,
    [uuidOf(storyId)],
  )
  const { events, history } = manifest.counts
  assert.deepEqual({ events, history, seq: manifest.as_of }, rows[0])
  const log = linesOf(join(to, 'events.ndjson'))
  assert.equal(log[0].seq, 1)
  const person = log.find(({ type }) => type === 'person.created')
  assert.match(person.subject_id, /^usr_/)
  const text = files.map((file) => readFileSync(join(to, file), 'utf8')).join('')
  for (const token of Object.values(keys)) assert.ok(!text.includes(token.slice(38)))
  assert.doesNotMatch(text, /"hash"|muster_key_/)
})

test('refuses to delete without the name, or without a usable export target', async () => {
  const home = await newWorkspace(host, 'Kept')
  await createFixture(await home.manager())
  const before = await rowDigests(home.uuid)
  const there = join(folder, 'there')
  mkdirSync(there)
  const target = join(folder, 'kept')
  const cases: [string[], RegExp][] = [
    [['--export-to', target], /There is no terminal for a prompt: add --confirm "Kept"/],
    [['--export-to', target, '--confirm', 'kept'], /Nothing was deleted. The name must be "Kept"/],
    [['--export-to', there, '--confirm', 'Kept'], /it already exists/],
    [['--export-to', join(folder, 'no/such'), '--confirm', 'Kept'], /ENOENT/],
  ]
  const refused = cases.map(async ([args, why]) => {
    const { code, stderr } = await run('workspace', 'delete', 'Kept', ...args)
    assert.equal(code, 1, stderr)
    assert.match(stderr, why)
  })
  await Promise.all(refused)
  const asked = ['workspace', 'delete', 'Kept', '--export-to', target]
  const printed = await adminOnTerminal(host.url, asked, 'Wrong')
  assert.match(printed, /Type the name of the workspace to delete it \(Kept\): [^]*Nothing was del/)
  assert.ok(!existsSync(target))
  assert.deepEqual(await rowDigests(home.uuid), before)
})

test('deletes all rows of the workspace from every table, after an export', async () => {
  const otherWorkspaces = await rowDigests(uuidOf(storyId), false)
  const own = await rowDigests(uuidOf(storyId))
  const filled = Object.values(own).filter((rows) => !rows.startsWith('0 '))
  assert.ok(filled.length > 12, 'the seed data fill nearly every table')
  const to = join(folder, 'last')
  const args = ['workspace', 'delete', 'Northwater', '--export-to', to]

  const printed = await adminOnTerminal(host.url, args, 'Northwater')

  assert.match(printed, /Exported Northwater as of \d+ to /)
  assert.match(printed, /\d+ rows of memberships deleted/)
  assert.match(printed, /Deleted Northwater \(wsp_/)
  for (const [table, rows] of Object.entries(await rowDigests(uuidOf(storyId)))) {
    assert.equal(rows, '0 ', table)
  }
  assert.deepEqual(await rowDigests(uuidOf(storyId), false), otherWorkspaces)
  assert.ok(linesOf(join(to, 'personnel.ndjson')).length > 40)
  assert.equal(outcome(await manager.get('/v1/whoami')), '401 unknown_key')
})

test('resumes an interrupted deletion, without affecting other workspaces meanwhile', async () => {
  const home = await newWorkspace(host, 'Halved')
  const client = await home.manager()
  await createFixture(client)
  const { as_of } = await exportWorkspace(home.admin, async () => {})
  await closeWorkspace(home.admin, as_of)
  await assert.rejects(
    removeRows(home.admin, (table) => assert.notEqual(table, 'memberships', 'simulated kill')),
  )
  assert.equal(outcome(await client.get('/v1/whoami')), '401 unknown_key')
  const row = (await run('workspace', 'list')).lines.find((line) => line.startsWith(home.id))
  assert.match(row ?? '', /\tdeleting\t-\t-\t/)
  const pool = createPool({ url: host.url, role: 'muster_app', max: 2, timeouts: longTimeouts })
  await using service = new Database(pool)
  assert.deepEqual((await sweepDue(new Sweeper(service))).failures, [], 'the sweeper skips it')

  const resumed = await run('workspace', 'resume', home.id)
  assert.match(resumed.stderr, /deletion of Halved has begun/)

  const args = ['--export-to', join(folder, 'unused'), '--confirm', 'Halved']
  const { code, stderr } = await run('workspace', 'delete', home.id, ...args)
  assert.equal(code, 0, stderr)
  assert.match(stderr, /was interrupted after its export/)
  for (const rows of Object.values(await rowDigests(home.uuid))) assert.equal(rows, '0 ')
})

test('refuses to delete when something was written after the export', async () => {
  const home = await newWorkspace(host)
  const { as_of } = await exportWorkspace(home.admin, async () => {})
  // Not by a key, because its last use would be recorded too.
  await addPerson(home.admin, { name: 'Late' })
  const before = await rowDigests(home.uuid)
  await assert.rejects(closeWorkspace(home.admin, as_of), /changed after the export/)
  assert.deepEqual(await rowDigests(home.uuid), before)
})

test('deletes referencing rows before referenced rows, in every tenant table', async () => {
  const order = removalOrder(await host.owner.ask(selectTenantTables)).map(({ name }) => name)
  assert.deepEqual(order.toSorted(), await tenantTables())
  const { rows } = await host.sql.query(
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent
     from pg_constraint where contype = 'f' and connamespace = 'muster'::regnamespace
       and confrelid not in (conrelid, 'workspaces'::regclass)`,
  )
  assert.ok(rows.length > 10)
  for (const { child, parent } of rows) {
    assert.ok(order.indexOf(child) < order.indexOf(parent), `${child} before ${parent}`)
  }
  const circle = [
    { name: 'a', refersTo: ['b'], ownReferences: [] },
    { name: 'b', refersTo: ['a'], ownReferences: [] },
  ]
  assert.throws(() => removalOrder(circle), /form a cycle/)
})
