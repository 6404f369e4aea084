import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { limits } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { openExport } from '#admin/import-folder'
import { Failure } from '#domain/engine/failure'
import { importWorkspace } from '#domain/workspace/import'
import { encodeId, uuidOf } from '#storage/values/id'
import { Client, type Json } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { newWorkspace, startHost } from '#test/support/workspace'

import { admin } from './admin.ts'
import { type ExportFiles, manifestOf, readFiles, writeFiles } from './export-files.ts'

const host = await startHost()
const folder = mkdtempSync(join(tmpdir(), 'muster-refusals-'))
atEnd(async () => rmSync(folder, { recursive: true }))

/** A workspace with a line in every file. */
async function exportFixture() {
  const home = await newWorkspace(host, 'Source')
  const manager = await home.manager()
  await createFixture(manager)
  const { ids } = await createFixture(manager)
  const entries = [{ role: 'reader', user_id: ids['user_id'] }]
  assert.equal((await manager.send('PUT', '/v1/access', { body: { entries } })).status, 200)
  await host.sql.query(
    `insert into binding_holds (workspace_id, user_id, created_at)
    select workspace_id, id, now()::timestamptz(3) from people where id = $1`,
    [uuidOf(String(ids['user_id']))],
  )
  const to = join(folder, 'good')
  const { code, stderr } = await admin(host.url, 'workspace', 'export', home.id, '--to', to)
  assert.equal(code, 0, stderr)
  return { to, other: home.id }
}

const { to: good, other } = await exportFixture()
let copies = 0

/** A copy with another id and name and without holds, which a test then changes. */
function copied(change: (files: ExportFiles) => void): { at: string; id: string; name: string } {
  copies += 1
  const id = encodeId('wsp', `00000000-0000-7000-8000-${String(copies).padStart(12, '0')}`)
  const name = `Copy ${copies}`
  const files: ExportFiles = JSON.parse(JSON.stringify(readFiles(good)).replaceAll(other, id))
  files.lines.workspace[0].name = name
  files.lines.binding_holds = []
  change(files)
  return { at: writeFiles(join(folder, name), files), id, name }
}

const importFrom = async (at: string) =>
  importWorkspace(host.owner, await openExport(at), { isDryRun: false, onPart: () => {} })

/** Imports a copy, and returns a client with the key of the import. */
async function imported(change: (files: ExportFiles) => void): Promise<Client> {
  const { token } = await importFrom(copied(change).at)
  return new Client(host.base, token)
}

test('imports a copy, with the quotas of this server and a mark on the audit log', async () => {
  const client = await imported(({ manifest, lines }) => {
    for (const quota of Object.keys(manifest.counters.quota)) {
      manifest.counters.quota[quota] = 2_000_000_000
    }
    lines.audit = lines.audit.map((entry) => ({ ...entry, network: '1.2.3.0/24' }))
  })
  const { body } = await client.get('/v1/whoami')
  assert.deepEqual(body.limits.quota, limits.quota)
  const entries: Json[] = (await client.get('/v1/audit')).body.data
  const isForged = ({ network }: Json) => network === '1.2.3.0/24'
  assert.ok(entries.some(isForged))
  for (const entry of entries) assert.equal(entry.is_imported, isForged(entry), entry.id)
})

test('refuses a slug that another workspace has, and says what to do', async () => {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  await manager.send('PATCH', '/v1/workspace', { body: { slug: 'held-here' } })
  const { at } = copied(({ lines }) => (lines.workspace[0].slug = 'held-here'))
  const expected = `The workspace ${home.id} has the slug held-here. Change or remove the slug`
  await assert.rejects(importFrom(at), (error: Error) => error.message.startsWith(expected))
  await manager.send('PATCH', '/v1/workspace', { body: { slug: null } })
  const { token } = await importFrom(at)
  const { body } = await new Client(host.base, token).get('/v1/workspace')
  assert.equal(body.slug, 'held-here')
})

test('shows that an audit log was left out', async () => {
  const client = await imported(({ lines }) => (lines.audit = []))
  const entries: Json[] = (await client.get('/v1/audit')).body.data
  assert.ok(entries.length > 0)
  assert.ok(entries.every(({ is_imported }) => is_imported === false))
})

const script = { title: 'click me', url: 'javascript:alert(document.domain)' }
const sql = 'x") values (1); drop table muster.people; --'
const admins = {
  role: 'admin',
  is_granting: true,
  version: 1,
  created_at: '2026-01-01T00:00:00.000Z',
}

/** What the author of a forged export tries, and the line that refuses it. */
const forgeries: Record<string, [change: (files: ExportFiles) => void, expected: RegExp]> = {
  'a script as the link of a risk': [
    ({ lines }) => (lines.risks[0].links = [script]),
    /risks\.ndjson, line 1: \/links\/0\/url must start with https:\/\//,
  ],
  'a script as the link of an earlier state': [
    ({ lines }) => (lines.history.find(({ noun }) => noun === 'risk').data.links = [script]),
    /history\.ndjson, line \d+: \/data\/links\/0\/url must start with https:\/\//,
  ],
  'sessions of a hundred years': [
    ({ lines }) => (lines.workspace[0].policies.session_days = 36_500),
    /workspace\.ndjson, line 1: \/policies\/session_days must be from 1 to 7/,
  ],
  'a name of 1 MB': [
    ({ lines }) => (lines.personnel[0].name = 'x'.repeat(1_000_000)),
    /personnel\.ndjson, line 1: A string is longer|\/name must have at most 200 characters/,
  ],
  'control characters in a name': [
    ({ lines }) => (lines.personnel[1].name = 'A\u202e\u0007<img src=x>'),
    /personnel\.ndjson, line 2: \/name must be one line of text/,
  ],
  'a column that the table has': [
    ({ lines }) => (lines.workspace[0].status = 'active'),
    /workspace\.ndjson, line 1: \/status is not a known field/,
  ],
  'SQL in the name of a column': [
    ({ lines }) => (lines.workspace[0][sql] = 1),
    /workspace\.ndjson, line 1: \/x\?\?[^\n]* is not a known field/,
  ],
  'a row of another workspace': [
    ({ lines }) =>
      lines.binding_holds.push({
        ...readFiles(good).lines.binding_holds[0],
        workspace_id: uuidOf(other),
      }),
    /binding_holds\.ndjson, line 1: \/workspace_id is not a known field/,
  ],
  'the line of another workspace': [
    ({ lines }) => (lines.workspace[0].id = other),
    /workspace\.ndjson, line 1: \/id must be the workspace_id of the manifest/,
  ],
  'a role without a subject': [
    ({ lines }) => lines.access.push({ ...admins, user_id: null, group_id: null }),
    /access\.ndjson, line 2: \/user_id must be null, or group_id must be/,
  ],
  'a role of an unknown person': [
    ({ lines }) =>
      lines.access.push({ ...admins, user_id: encodeId('usr', uuidOf(other)), group_id: null }),
    /The database refused a row: .*foreign key.*, in lines 1 to 2 of access\.ndjson\./,
  ],
  'an unknown manager': [
    ({ lines }) =>
      lines.personnel.forEach(
        (person) => (person.manager_user_id = encodeId('usr', uuidOf(other))),
      ),
    /The database refused a row: .*foreign key.*, in lines 1 to 4 of personnel\.ndjson\./,
  ],
  'a prototype': [
    ({ lines }) => lines.personnel.push('{"__proto__":{"admin":true}}'),
    /personnel\.ndjson, line 5: A member is named __proto__/,
  ],
  'text that is not JSON': [
    ({ lines }) => lines.events.splice(1, 0, '{"seq":'),
    /events\.ndjson, line 2: The line is not valid JSON/,
  ],
  'an empty line': [
    ({ lines }) => lines.tasks.unshift(''),
    /tasks\.ndjson, line 1: The line is empty/,
  ],
  'an unpaired surrogate': [
    ({ lines }) => (lines.groups[0].name = 'A\ud800'),
    /groups\.ndjson, line 1: A string contains an unpaired surrogate/,
  ],
  'a score that is not the product': [
    ({ lines }) => (lines.risks[0].score = 25),
    /Nothing was imported\. Read back, risks differ from the export\./,
  ],
  'an event of the future': [
    ({ lines, manifest }) => (lines.events.at(-1).seq = manifest.as_of + 1),
    /events\.ndjson, line \d+: \/seq must be at most \d+, the as_of of the manifest/,
  ],
  'an unknown time zone': [
    ({ lines }) => (lines.workspace[0].time_zone = 'Europe/Atlantis'),
    /workspace\.ndjson, line 1: \/time_zone must be a time zone that PostgreSQL knows/,
  ],
  'the id of an existing workspace': [
    ({ lines, manifest }) => (lines.workspace[0].id = manifest.workspace_id = other),
    new RegExp(`There is a workspace ${other}\\. Delete it first`),
  ],
  'a path as the id': [
    ({ manifest }) => (manifest.workspace_id = '../../etc'),
    /manifest\.json: \/workspace_id must/,
  ],
  'a term that is no name': [
    ({ manifest }) => (manifest.counters.terms[0].name = '"'),
    /manifest\.json: \/counters\/terms\/0\/name must have a form such as 7f2bd003b109/,
  ],
  'another format': [
    ({ manifest }) => (manifest.format = 9),
    /its format is 9, and this release reads 5/,
  ],
}

for (const [forgery, [change, expected]] of Object.entries(forgeries)) {
  test(`refuses ${forgery}`, async () => {
    const { at, id } = copied(change)
    await assertRefused(at, expected)
    if (id === other) return
    const found = await host.sql.query('select from workspaces where id = $1', [uuidOf(id)])
    assert.equal(found.rowCount, 0)
  })
}

async function assertRefused(at: string, expected: RegExp): Promise<void> {
  await assert.rejects(importFrom(at), (error) => {
    assert.ok(error instanceof Failure, String(error))
    assert.match(error.message, expected)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
}

test('refuses more than the quotas of this server', async () => {
  const { at } = copied(({ lines }) => {
    const [key] = lines.keys
    const copy = (_: unknown, index: number) => ({
      ...key,
      // No key of the export ends like this, but for one in a million million.
      id: `${key.id.slice(0, -8)}zzzzz${100 + index}`,
    })
    lines.keys.push(...Array.from({ length: limits.quota.keys + 1 }, copy))
  })
  await assertRefused(at, /The export has 50\d keys, and the quota of this server is 500\./)
})

test('refuses files that are absent, damaged, endless or too large', async () => {
  const damages: [string, (at: string) => void, RegExp][] = [
    ['absent', (at) => rmSync(at, { recursive: true }), /no readable manifest\.json/],
    ['missing', (at) => rmSync(join(at, 'risks.ndjson')), /there is no file risks\.ndjson/],
    [
      'changed',
      (at) => writeFileSync(join(at, 'events.ndjson'), ''),
      /events\.ndjson does not have the checksum of the manifest/,
    ],
    [
      'large manifest',
      (at) => truncateSync(join(at, 'manifest.json'), 2 ** 30),
      /no readable manifest\.json/,
    ],
    [
      'device',
      (at) => {
        rmSync(join(at, 'audit.ndjson'))
        symlinkSync('/dev/zero', join(at, 'audit.ndjson'))
      },
      /there is no file audit\.ndjson/,
    ],
  ]
  for (const [name, damage, expected] of damages) {
    const at = join(folder, name)
    cpSync(good, at, { recursive: true })
    damage(at)
    await assertRefused(at, expected)
  }
})

test('refuses a file with fewer lines than the manifest counts', async () => {
  const { at } = copied(() => {})
  const counted = manifestOf(at)
  counted.counts.risks = 7
  writeFileSync(join(at, 'manifest.json'), JSON.stringify(counted))
  await assertRefused(at, /risks\.ndjson has 2 lines, and the manifest counts 7/)
})

test('prints one line, without a stack trace', async () => {
  const { at } = copied(({ lines }) => (lines.audit[0].actor = null))
  const { code, stderr } = await admin(host.url, 'workspace', 'import', at)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /\nerror: Cannot import from .*: audit\.ndjson, line 1: \/actor must be object\.\n$/,
  )
})
