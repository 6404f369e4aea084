import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, type Operation } from '@muster/contract'

import { addGroup } from '#domain/groups'
import { addIssue } from '#domain/issues'
import { addProject } from '#domain/projects'
import { addRisk } from '#domain/risks'
import { Database } from '#storage/database'
import { selectPersonnel } from '#storage/personnel'
import { createPool } from '#storage/pool'

import { atEnd } from './at-end.ts'
import type { Client, Json, Reply } from './client.ts'
import { forgetful } from './forgetful.ts'
import { listen, newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const { plugin, forgotten } = forgetful()
const walless = await listen(host.url, { plugins: [plugin] })

/** Two of these hold the same; what differs is the canary in every text. */
async function settle(canary: string) {
  const workspace = await newWorkspace(host)
  const manager = await workspace.manager()
  const ids: Record<string, string> = { wsp: workspace.id }
  for (const name of ['Ada', 'Bo']) {
    const { body } = await manager.post('/v1/personnel', {
      name: `${name} ${canary}`,
      email: `${name}@${canary}.example`,
      external_id: `${canary}-${name}`,
    })
    ids['usr'] = body.id
  }
  const { admin } = workspace
  const group = { name: `Group ${canary}`, member_user_ids: [ids['usr'] ?? ''], lead_user_ids: [] }
  ids['grp'] = (await addGroup(admin, group)).id
  const project = await addProject(admin, { code: 'DAM', name: `Dam ${canary}` })
  ids['prj'] = project.id
  const risk = {
    title: `Risk ${canary}`,
    likelihood: 4,
    impact: 4,
    owner_user_id: ids['usr'] ?? '',
  }
  ids['rsk'] = (await addRisk(admin, project.id, risk)).id
  ids['iss'] = (await addIssue(admin, project.id, { title: `Issue ${canary}`, severity: 3 })).id
  return { ...workspace, manager, ids, canary }
}

const ours = await settle('oursoursours')
const theirs = await settle('theirstheirs')

/** Every request that can be made of an operation with ids of the other workspace in it. */
function attempts({ path, method, params, query, body }: Operation) {
  const foreign = (schema: unknown) => {
    const prefix = /\b(usr|grp|prj|rsk|iss|key)_/.exec(JSON.stringify(schema))?.[1] ?? ''
    return theirs.ids[prefix]
  }
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => foreign(params?.properties[name]) ?? '',
  )
  const queries = Object.entries(query?.properties ?? {}).flatMap(([name, schema]) => {
    const id = foreign(schema)
    return id === undefined ? [] : [`?${name}=${id}`]
  })
  const bodies = Object.entries(body?.properties ?? {}).flatMap(([name, schema]) => {
    const id = foreign(schema)
    return id === undefined ? [] : [{ name: 'Mole', [name]: id }]
  })
  const plain = body ? [{ name: 'Mole' }] : [undefined]
  return ['', ...queries].flatMap((suffix) =>
    [...plain, ...bodies].map((sent) => ({ method, path: filled + suffix, body: sent })),
  )
}

function assertNothingOfTheirs({ text }: Reply, sent: object): void {
  assert.ok(!text.includes(theirs.canary), `a text of theirs came back: ${text.slice(0, 300)}`)
  for (const id of Object.values(theirs.ids)) {
    const isOurEcho = JSON.stringify(sent).includes(id)
    assert.ok(isOurEcho || !text.includes(id), `${id} of theirs came back`)
  }
}

const formats = ['application/json', 'text/csv', 'application/x-ndjson']

for (const { name, operation } of everyOperation()) {
  for (const [build, base] of [
    ['', host.base],
    [', with row level security alone', walless],
  ] as const) {
    test(`${name} shows and takes nothing of another workspace${build}`, async () => {
      const client = at(ours.manager, base)
      for (const attempt of attempts(operation)) {
        const reply = await client.send(attempt.method, attempt.path, { body: attempt.body })
        assertNothingOfTheirs(reply, attempt)
        const isForeign = JSON.stringify(attempt).includes(theirs.ids['usr'] ?? '')
        if (isForeign && operation.params) assert.equal(reply.status, 404)
        if (isForeign && operation.body) assert.equal(reply.body.code, 'unknown_reference')
        if (attempt.path.includes('?')) assert.equal(reply.body.count, 0, attempt.path)
      }
      if (operation.cache !== 'collection') return
      for (const accept of formats) {
        const reply = await client.get(operation.path, { accept })
        assert.equal(reply.status, 200)
        assertNothingOfTheirs(reply, {})
        assert.ok(reply.text.includes(ours.canary), 'what is ours is there')
      }
    })
  }
}

test('the build without conditions did forget them', () => {
  assert.ok(forgotten() > 40, `only ${forgotten()} conditions were taken away`)
})

test('it is row level security that holds: without it, the forgetful build shows everything', async () => {
  const pool = createPool({ url: host.url, role: null, max: 1 })
  const superuser = new Database(pool, [forgetful().plugin])
  atEnd(() => superuser[Symbol.asyncDispose]())
  const order = { by: 'name', isDescending: false } as const
  const page = { after: null, limit: 100 }
  const filter = { statuses: null, q: null }
  const { items } = await superuser.read({ workspaceId: ours.id }, (read) =>
    selectPersonnel(read, { filter, order, page }),
  )
  assert.ok(JSON.stringify(items).includes(theirs.canary))
})

test('who has entered no workspace gets an error, not an empty answer', async () => {
  const pool = createPool({ url: host.url, role: 'muster_app', max: 1 })
  const service = new Database(pool)
  atEnd(() => service[Symbol.asyncDispose]())
  const look = () => service.ask((db) => db.selectFrom('people').select('id').execute())
  await assert.rejects(look(), { meaning: 'bug', code: '42704' })
  await service.read({ workspaceId: ours.id }, (read) =>
    read.db.selectFrom('people').select('id').execute(),
  )
  await assert.rejects(look(), { meaning: 'bug', code: '22P02' })
})

test('an id of theirs is answered as one that does not exist, to the byte', async () => {
  const known = theirs.ids['usr'] ?? ''
  const made = 'usr_01ktrr9d3hen4v9q9t9m2g8x5c'
  const [foreign, unknown] = await Promise.all(
    [known, made].map((id) => ours.manager.get(`/v1/personnel/${id}`)),
  )
  assert.equal(bare(foreign, known), bare(unknown, made))
})

test('cursors, ETags and idempotency keys of theirs mean nothing here', async () => {
  const key = { 'idempotency-key': 'the-same' }
  for (const { path, cache, method } of everyOperation().map(({ operation }) => operation)) {
    if (cache === 'collection') {
      const { body } = await theirs.manager.get(`${path}?limit=1`)
      const cursor = await ours.manager.get(`${path}?cursor=${body.next_cursor ?? 'x'}`)
      assert.equal(cursor.body.code, 'invalid_cursor')
      const tag = (await theirs.manager.get(path)).headers.get('etag') ?? ''
      assert.equal((await ours.manager.get(path, { 'if-none-match': tag })).status, 200)
    }
    if (method !== 'POST') continue
    const [here, there] = await Promise.all(
      [ours, theirs].map(({ manager }) => manager.post(path, { name: 'Twin' }, key)),
    )
    assert.deepEqual([here?.status, there?.status], [201, 201])
    assert.notEqual(here?.body.id, there?.body.id)
    assert.equal(there?.headers.get('idempotent-replayed'), null)
  }
})

const at = (client: Client, base: string): Client =>
  Object.assign(Object.create(Object.getPrototypeOf(client) as object) as Client, client, { base })

/** An answer without what must differ: the id that was asked for, the request, the time. */
function bare(reply: Reply | undefined, id: string): string {
  const { status = 0, headers, body } = reply ?? ({} as Partial<Reply & { body: Json }>)
  const kept = [...(headers ?? [])].filter(([name]) => !['request-id', 'date'].includes(name))
  return JSON.stringify([status, kept, { ...body, request_id: '' }]).replaceAll(id, 'ID')
}
