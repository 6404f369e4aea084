import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeDemoKeys, seed } from '@muster/api/seed'
import { atEnd } from '@muster/testing/at-end'
import type { Client as SqlClient } from 'pg'

import { closeDays } from '#domain/time/closing'
import { type ExportPart, exportParts } from '#domain/workspace/export'
import { uuidOf } from '#storage/values/id'
import { outcome } from '#test/auth/browser'
import { Client, type Json } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { newWorkspace, startHost } from '#test/support/workspace'

import { admin } from './admin.ts'
import { linesOf, manifestOf } from './export-files.ts'

const [source, target] = [await startHost(), await startHost()]
const folder = mkdtempSync(join(tmpdir(), 'muster-import-'))
atEnd(async () => rmSync(folder, { recursive: true }))

/** A hash of the rows of each tenant table, without counts of zero. */
async function digests(sql: SqlClient, workspaceId: string): Promise<Record<string, string>> {
  const tables = await sql.query(
    `select table_name::text as name from information_schema.columns
     where table_schema = 'muster' and column_name = 'workspace_id' order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables.rows) {
    const { rows } = await sql.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as sum
       from ${name} as t
       where workspace_id = $1 and to_jsonb(t) ->> 'count' is distinct from '0'`,
      [uuidOf(workspaceId)],
    )
    found[name] = rows[0].sum
  }
  return found
}

async function exported(url: string, workspaceId: string, name: string): Promise<string> {
  const to = join(folder, name)
  const { code, stderr } = await admin(url, 'workspace', 'export', workspaceId, '--to', to)
  assert.equal(code, 0, stderr)
  return to
}

/** The demo data, one more item of every kind, roles, an archived group, a held identity. */
async function story() {
  const { workspaceId } = await seed(source.owner)
  const { manager: token } = await makeDemoKeys(source.owner, workspaceId)
  const manager = new Client(source.base, token)
  const [one, two] = (await manager.get('/v1/personnel')).body.data
  await createFixture(manager)
  const [group] = (await manager.get('/v1/groups')).body.data
  const entries = [
    { role: 'admin', user_id: one.id },
    { role: 'reader', group_id: group.id },
  ]
  assert.equal((await manager.send('PUT', '/v1/access', { body: { entries } })).status, 200)
  assert.equal((await manager.post(`/v1/groups/${group.id}/archive`, {})).status, 200)
  const managed = { manager_user_id: one.id, metadata: { b: '1', a: 'ü\u2028"' } }
  const patch = { body: managed }
  assert.equal((await manager.send('PATCH', `/v1/personnel/${two.id}`, patch)).status, 200)
  const scopes = ['personnel.manage']
  const weak = (await manager.post('/v1/keys', { name: 'HR', scopes })).body.secret
  const change = { body: { external_id: 'hr-2' } }
  const held = await new Client(source.base, weak).send('PATCH', `/v1/personnel/${two.id}`, change)
  assert.equal(held.status, 200, held.text)
  const planned = await manager.post(`/v1/personnel/${two.id}/depart`, { departs_on: '2099-12-31' })
  assert.equal(planned.status, 200, planned.text)
  return { workspaceId, manager }
}

const { workspaceId, manager } = await story()
const first = await exported(source.url, workspaceId, 'first')

/** The tables that differ after an import, and why. */
const changedTables = {
  api_keys: 'keys are revoked, and there is a new one',
  audit_entries: 'the revocations and the new key, and the mark of the others',
  events: 'the revocations, the new key and the import',
  term_starts: 'the term of the import',
  workspace_counters: 'the sequence number of the import, its term, and the secret of cursors',
}
const derived = ['days', 'daily_figures']
const notExported = ['idempotency_records', 'sessions', 'sweeps', 'visits', ...derived]

test('exports again what was imported, but for the keys and the new term', async (t) => {
  const { code, stderr, lines } = await admin(target.url, 'workspace', 'import', first)
  assert.equal(code, 0, stderr)
  for (const part of exportParts.filter((each) => each !== 'workspace')) {
    const count = manifestOf(first).counts[part]
    assert.ok(count > 0, part)
    assert.match(stderr, new RegExp(`  ${count} ${part}\n`))
  }
  assert.match(stderr, /Everything was read back and is equal to the export\./)
  const there = new Client(target.base, lines.at(-1) ?? null)
  assert.equal(outcome(await there.get('/v1/whoami')), '200')

  const second = await exported(target.url, workspaceId, 'second')
  const changed = new Set<ExportPart>(['terms', 'keys', 'events', 'audit'])
  for (const part of exportParts) {
    const [before, after] = [linesOf(first, part), linesOf(second, part)]
    if (changed.has(part)) assert.ok(after.length >= before.length, part)
    else assert.deepEqual(after, before, part)
  }
  const live = linesOf(first, 'keys').filter(({ revoked_at }) => revoked_at === null)
  assert.ok(live.length > 1)
  const news = linesOf(second, 'events').slice(linesOf(first, 'events').length)
  const { as_of, counters } = manifestOf(first)
  assert.deepEqual(
    news.map(({ seq, type, actor }) => [seq, type, actor.type]),
    [
      ...live.map(() => [as_of + 1, 'key.revoked', 'admin']),
      [as_of + 1, 'key.created', 'admin'],
      [as_of + 1, 'workspace.imported', 'admin'],
    ],
  )
  const active = linesOf(second, 'keys').filter(({ status }) => status !== 'revoked')
  assert.deepEqual(
    active.map(({ name }) => name),
    ['Import'],
  )
  const then = manifestOf(second).counters
  assert.deepEqual(then.terms.slice(0, -1), counters.terms)
  assert.equal(then.terms.at(-1).first, as_of + 1)
  assert.deepEqual({ ...then.numbers, keys: 0 }, { ...counters.numbers, keys: 0 })
  assert.deepEqual(then.quota, counters.quota)

  const [were, are] = [
    await digests(source.sql, workspaceId),
    await digests(target.sql, workspaceId),
  ]
  const equal = Object.keys(were).filter((table) => were[table] === are[table])
  const differing = Object.keys(were).filter((table) => were[table] !== are[table])
  const allowed = new Set([...Object.keys(changedTables), ...notExported])
  assert.deepEqual(
    differing.filter((table) => !allowed.has(table)),
    [],
  )
  const filled = equal.filter((table) => !were[table]?.startsWith('0 '))
  assert.ok(filled.length >= 13, `${filled.length} tables with rows are equal`)
  t.diagnostic(`${filled.length} tables with rows are equal, and differ: ${differing.join(', ')}`)
})

test('closing the days again gives the same figures', async () => {
  assert.equal(await closeDays(source.owner, workspaceId), true)
  assert.equal(await closeDays(target.owner, workspaceId), true)
  const [were, are] = [
    await digests(source.sql, workspaceId),
    await digests(target.sql, workspaceId),
  ]
  for (const table of derived) {
    assert.ok(!were[table]?.startsWith('0 '), table)
    assert.equal(are[table], were[table], table)
  }
})

test('shows the same lists, summaries and history as before', async () => {
  const { lines } = await admin(target.url, 'key', 'create', '--name', 'x', '--scopes', readScopes)
  const there = new Client(target.base, lines.at(-1) ?? null)
  const [risk] = (await manager.get('/v1/risks')).body.data
  for (const path of [
    '/v1/personnel',
    '/v1/groups',
    '/v1/risks?limit=50&include=total_count',
    '/v1/risks/summary',
    '/v1/issues',
    '/v1/issues/summary',
    '/v1/tasks',
    `/v1/projects/${risk.project_id}/risks/${risk.id}/history`,
  ]) {
    const [here, now] = [await manager.get(path), await there.get(path)]
    assert.equal(now.status, 200, path)
    assert.deepEqual(withoutCursor(now.body), withoutCursor(here.body), path)
  }
})

const readScopes = 'personnel.read,projects.read'
/** The secret of cursors is not exported. */
const withoutCursor = (body: Json) => ({ ...body, next_cursor: null })

test('after an import no ETag of a lost number matches, and others still do', async () => {
  const home = await newWorkspace(source, 'Restored')
  const { client, person } = await personIn(home)
  const path = `/v1/personnel/${person.id}`
  const kept = (await client.get(path)).headers.get('etag') ?? ''
  const at = await exported(source.url, home.id, 'restored')
  const lost: string[] = []
  for (const name of ['Lost', 'Lost too', 'Lost again']) {
    lost.push(await rename(client, path, name))
    lost.push((await client.get('/v1/personnel')).headers.get('etag') ?? '')
  }
  const last = join(folder, 'restored-last')
  const remove = ['workspace', 'delete', home.id, '--export-to', last, '--confirm', 'Restored']
  assert.equal((await admin(source.url, ...remove)).code, 0)

  const { code, stderr, lines } = await admin(source.url, 'workspace', 'import', at)
  assert.equal(code, 0, stderr)
  const again = new Client(source.base, lines.at(-1) ?? null)
  assert.equal(outcome(await client.get(path)), '401 unknown_key')
  assert.equal((await again.get(path, { 'if-none-match': kept })).status, 304)
  for (const name of ['Found', 'Found too', 'Found again', 'Found at last']) {
    await rename(again, path, name)
    for (const etag of lost) {
      for (const each of [path, '/v1/personnel']) {
        assert.equal((await again.get(each, { 'if-none-match': etag })).status, 200, etag)
      }
      const change = { body: { name: 'Overwritten' }, headers: { 'if-match': etag } }
      assert.equal((await again.send('PATCH', path, change)).status, 412, etag)
    }
  }
})

async function personIn(home: Awaited<ReturnType<typeof newWorkspace>>) {
  const client = await home.manager()
  return { client, person: (await client.post('/v1/personnel', { name: 'Ada' })).body }
}

async function rename(client: Client, path: string, name: string): Promise<string> {
  const { status, headers } = await client.send('PATCH', path, { body: { name } })
  assert.equal(status, 200)
  return headers.get('etag') ?? ''
}

test('refuses an export whose name or id is taken', async () => {
  const home = await newWorkspace(source, 'Refused')
  await createFixture(await home.manager())
  const good = await exported(source.url, home.id, 'refused')
  const taken = await newWorkspace(target, 'Refused')
  const refused = await admin(target.url, 'workspace', 'import', good)
  assert.match(refused.stderr, new RegExp(`The workspace ${taken.id} is named Refused`))
  await assertAbsent(home.id)
  const there = await admin(source.url, 'workspace', 'import', good)
  assert.match(there.stderr, new RegExp(`There is a workspace ${home.id}\\. Delete it first`))
})

test('a dry run checks everything and writes nothing', async () => {
  const home = await newWorkspace(source, 'Tried')
  await createFixture(await home.manager())
  const at = await exported(source.url, home.id, 'tried')
  const { code, stderr, lines } = await admin(target.url, 'workspace', 'import', at, '--dry-run')
  assert.equal(code, 0, stderr)
  assert.match(stderr, /Dry run: Tried \(wsp_\w+\) as of \d+ can be imported\. Nothing was written/)
  assert.deepEqual(lines, [''], 'it prints no key')
  await assertAbsent(home.id)
})

async function assertAbsent(id: string): Promise<void> {
  for (const [table, sum] of Object.entries(await digests(target.sql, id))) {
    assert.equal(sum, '0 ', table)
  }
  const found = await target.sql.query('select from workspaces where id = $1', [uuidOf(id)])
  assert.equal(found.rowCount, 0)
}
