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

import { exportParts, exportWorkspace } from '#domain/export'
import { addPerson } from '#domain/personnel'
import { Sweeper } from '#domain/sweep'
import { closeForGood, removalOrder, removeRows } from '#domain/workspace-life'
import { Database } from '#storage/database'
import { uuidOf } from '#storage/id'
import { createPool } from '#storage/pool'
import { selectTenantTables } from '#storage/removal'

import { admin, adminOnTerminal } from './admin.ts'
import { atEnd } from './at-end.ts'
import { Client, type Json } from './client.ts'
import { told } from './console.ts'
import { setScene } from './scene.ts'
import { newWorkspace, startHost } from './workspace.ts'

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

/** Every table that holds rows of workspaces, found without our own code. */
async function tenantTables(): Promise<string[]> {
  const { rows } = await host.sql.query(
    `select table_name::text as name from information_schema.columns
     where table_schema = 'muster' and column_name = 'workspace_id' order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** How many rows each table has of a workspace, or all but it; and what they hold. */
async function holdings(uuid: string, isOwn = true): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const table of [...(await tenantTables()), 'workspaces']) {
    const column = table === 'workspaces' ? 'id' : 'workspace_id'
    const { rows } = await host.sql.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as told
       from ${table} as t where ${column} ${isOwn ? '=' : '<>'} $1`,
      [uuid],
    )
    found[table] = rows[0].told
  }
  return found
}

/** All that the API shows of the story. */
async function shown(): Promise<Record<string, Json[]>> {
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
  }
}

test('an export is what the API shows, with every event and every state, and no secret', async () => {
  const to = join(folder, 'northwater')
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
  for (const [part, items] of Object.entries(await shown())) {
    assert.ok(items.length > 0, part)
    assert.deepEqual(linesOf(join(to, `${part}.ndjson`)), items, part)
  }

  const { rows } = await host.sql.query(
    `select (select count(*)::int from events where workspace_id = $1) as events,
       (select count(*)::int from history where workspace_id = $1) as history,
       (select seq::int from workspace_counters where workspace_id = $1) as seq`,
    [uuidOf(storyId)],
  )
  const { events, history } = manifest.counts
  assert.deepEqual({ events, history, seq: manifest.as_of }, rows[0])
  const [first] = linesOf(join(to, 'events.ndjson'))
  assert.equal(first.seq, 1)
  assert.equal(first.type, 'person.created')
  assert.match(first.subject_id, /^usr_/)
  const text = files.map((file) => readFileSync(join(to, file), 'utf8')).join('')
  for (const token of Object.values(keys)) assert.ok(!text.includes(token.slice(38)))
  assert.doesNotMatch(text, /"hash"|muster_key_/)
})

test('nothing is deleted without the name, or when the export has nowhere to go', async () => {
  const home = await newWorkspace(host, 'Kept')
  await setScene(await home.manager())
  const before = await holdings(home.uuid)
  const there = join(folder, 'there')
  mkdirSync(there)
  const target = join(folder, 'kept')
  const cases: [string[], RegExp][] = [
    [['--export-to', target], /There is no terminal to ask on: add --confirm "Kept"/],
    [['--export-to', target, '--confirm', 'kept'], /Nothing was deleted. It must be "Kept"/],
    [['--export-to', there, '--confirm', 'Kept'], /it exists already/],
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
  assert.deepEqual(await holdings(home.uuid), before)
})

test('a deletion leaves an export, and no row of the workspace in any table', async () => {
  const neighbours = await holdings(uuidOf(storyId), false)
  const own = await holdings(uuidOf(storyId))
  const filled = Object.values(own).filter((rows) => !rows.startsWith('0 '))
  assert.ok(filled.length > 12, 'the story has rows nearly everywhere')
  const to = join(folder, 'last')
  const args = ['workspace', 'delete', 'Northwater', '--export-to', to]

  const printed = await adminOnTerminal(host.url, args, 'Northwater')

  assert.match(printed, /Exported Northwater as of \d+ to /)
  assert.match(printed, /\d+ rows of memberships deleted/)
  assert.match(printed, /Deleted Northwater \(wsp_/)
  for (const [table, rows] of Object.entries(await holdings(uuidOf(storyId)))) {
    assert.equal(rows, '0 ', table)
  }
  assert.deepEqual(await holdings(uuidOf(storyId), false), neighbours)
  assert.ok(linesOf(join(to, 'personnel.ndjson')).length > 40)
  assert.equal(told(await manager.get('/v1/whoami')), '401 unknown_key')
})

test('a deletion that was interrupted can be begun again, and disturbs nobody meanwhile', async () => {
  const home = await newWorkspace(host, 'Halved')
  const client = await home.manager()
  await setScene(client)
  const { as_of } = await exportWorkspace(home.admin, async () => {})
  await closeForGood(home.admin, as_of)
  await assert.rejects(
    removeRows(home.admin, (table) => assert.notEqual(table, 'memberships', 'as if killed')),
  )
  assert.equal(told(await client.get('/v1/whoami')), '401 unknown_key')
  const row = (await run('workspace', 'list')).lines.find((line) => line.startsWith(home.id))
  assert.match(row ?? '', /\tdeleting\t-\t-\t/)
  const pool = createPool({ url: host.url, role: 'muster_app', max: 2 })
  await using service = new Database(pool)
  const sweeper = new Sweeper(service)
  assert.ok(await sweeper.sweep(), 'the sweeper passes it by')
  await sweeper.stop()

  const resumed = await run('workspace', 'resume', home.id)
  assert.match(resumed.stderr, /deletion of Halved has begun/)

  const args = ['--export-to', join(folder, 'unused'), '--confirm', 'Halved']
  const { code, stderr } = await run('workspace', 'delete', home.id, ...args)
  assert.equal(code, 0, stderr)
  assert.match(stderr, /begun before, and its export was made then/)
  for (const rows of Object.values(await holdings(home.uuid))) assert.equal(rows, '0 ')
})

test('what is written after the export is not lost: then nothing is deleted', async () => {
  const home = await newWorkspace(host)
  const { as_of } = await exportWorkspace(home.admin, async () => {})
  // Not by a key, whose use would be noted beside.
  await addPerson(home.admin, { name: 'Late' })
  const before = await holdings(home.uuid)
  await assert.rejects(closeForGood(home.admin, as_of), /written after the export/)
  assert.deepEqual(await holdings(home.uuid), before)
})

test('rows that others refer to go last, in every table that the catalog knows', async () => {
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
  assert.throws(() => removalOrder(circle), /in a circle/)
})
