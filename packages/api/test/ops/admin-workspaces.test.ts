import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { Browser, signIn, outcome } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { exampleFor, createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { newWorkspace, startHost } from '#test/support/workspace'

import { admin } from './admin.ts'

const host = await startHost()
const run = (...args: string[]) => admin(host.url, ...args)

test('creates a workspace without a key, and lists it with its usage', async () => {
  const made = await run('workspace', 'create', '--name', 'Acme Works', '--slug', 'acme')
  assert.equal(made.code, 0, made.stderr)
  const [id = ''] = made.lines
  assert.match(id, /^wsp_[0-9a-z]{26}$/)
  const home = await newWorkspace(host, 'Acme Works')
  assert.equal(home.id, id)
  await (await home.manager()).post('/v1/personnel', { name: 'Ada' })

  const { lines } = await run('workspace', 'list')
  assert.equal(lines[0], 'id\tstatus\tpeople\tkeys\tcreated_at\tslug\tname')
  const row = lines.find((line) => line.startsWith(id))
  assert.match(row ?? '', /^wsp_\w+\tactive\t1\t1\t\d{4}-\d\d-\d\dT[\d:.]+Z\tacme\tAcme Works$/)

  const again = await run('workspace', 'create', '--name', 'Acme Works')
  assert.equal(again.code, 1)
  assert.match(again.stderr, new RegExp(`There is a workspace named Acme Works: ${id}`))
  const taken = await run('workspace', 'create', '--name', 'Acme Two', '--slug', 'acme')
  assert.deepEqual([taken.code, /The slug acme is taken/.test(taken.stderr)], [1, true])
  const odd = await run('workspace', 'create', '--name', 'Acme Two', '--slug', 'Acme!')
  assert.deepEqual([odd.code, /3 to 40 lower-case letters/.test(odd.stderr)], [2, true])
})

test('refuses every operation, key and session of a suspended workspace', async () => {
  const [home, other] = [await newWorkspace(host, 'Paused'), await newWorkspace(host)]
  const { token } = await home.issue({ scopes })
  const manager = new Client(host.base, token)
  const [neighbour, fixture] = [await other.manager(), await createFixture(manager)]
  const browser = await signIn(host.base, token)
  const elsewhere = async () => {
    const { workspace, limits, usage } = (await neighbour.get('/v1/whoami')).body
    return { workspace, limits, usage }
  }
  const before = await elsewhere()

  assert.match((await run('workspace', 'suspend', 'Paused')).stderr, /Suspended Paused \(wsp_/)

  const refused = '403 workspace_suspended'
  for (const { name, operation } of keyOperations()) {
    if (operation.scope === 'none') continue
    const [path, body] = [fixture.fill(operation.path), exampleFor(operation, fixture)]
    assert.equal(outcome(await manager.send(operation.method, path, { body })), refused, name)
  }
  assert.equal(outcome(await browser.get('/v1/risks')), refused)
  assert.equal(outcome(await new Browser(host.base, '').startSession(token)), refused)
  assert.deepEqual(await elsewhere(), before)
  const again = await run('workspace', 'suspend', home.id)
  assert.match(again.stderr, /was already suspended/)

  assert.match((await run('workspace', 'resume', home.id)).stderr, /Resumed Paused/)
  assert.equal(outcome(await manager.get('/v1/whoami')), '200')
  assert.equal(outcome(await browser.get('/v1/risks')), '200')
  const { rows } = await host.sql.query(
    `select type, actor_type, subject_id, changed from events
     where workspace_id = $1 and type like 'workspace.%' order by seq`,
    [home.uuid],
  )
  const change = { actor_type: 'admin', subject_id: home.uuid, changed: ['status'] }
  const types = ['workspace.suspended', 'workspace.resumed']
  assert.deepEqual(
    rows,
    types.map((type) => ({ type, ...change })),
  )
})

test('invalidates every ETag by a new epoch, and nothing else', async () => {
  const manager = await (await newWorkspace(host)).manager()
  const { body, headers } = await manager.post('/v1/personnel', { name: 'Ada' })
  const path = `/v1/personnel/${body.id}`
  const item = headers.get('etag') ?? ''
  const list = (await manager.get('/v1/personnel')).headers.get('etag') ?? ''
  const look = async (each: string, etag: string) =>
    (await manager.get(each, { 'if-none-match': etag })).status
  const change = async (etag: string, name: string) =>
    outcome(await manager.send('PATCH', path, { body: { name }, headers: { 'if-match': etag } }))
  assert.deepEqual([await look('/v1/personnel', list), await look(path, item)], [304, 304])

  assert.equal((await run('epoch', 'renew')).code, 0)

  assert.deepEqual([await look('/v1/personnel', list), await look(path, item)], [200, 200])
  assert.equal(await change(item, 'Bea'), '412 version_mismatch')
  const fresh = await manager.get(path)
  assert.equal(fresh.body.version, body.version)
  assert.equal(await look(path, fresh.headers.get('etag') ?? ''), 304)
  assert.equal(await change(fresh.headers.get('etag') ?? '', 'Bea'), '200')
})

test('reports an unknown workspace', async () => {
  const nothing = 'wsp_01ktrr9d3hen4v9q9t9m2g8x5c'
  const refused = ['Nowhere', nothing].map(async (which) => {
    const { code, stderr } = await run('workspace', 'suspend', which)
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`error: There is no workspace (named )?${which}`))
  })
  await Promise.all(refused)
})

test('every command exits with 2 after wrong usage, also one of another file', async () => {
  const wrong = [
    [],
    ['workspaces'],
    ['workspace'],
    ['workspace', 'suspend'],
    ['workspace', 'list', '--all'],
    ['workspace', 'create', '--name', ' '],
    ['workspace', 'export', 'Acme', 'Beta', '--to', '/tmp/never-written'],
    ['epoch', 'renew', '--force'],
    ['secrets', 'rotate', 'now'],
  ]
  const ended = wrong.map(async (args) => {
    const { code, stderr } = await run(...args)
    assert.equal(code, 2, args.join(' '))
    assert.notEqual(stderr, '')
  })
  await Promise.all(ended)
})
