import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { createPool } from '#storage/connection/pool'
import { sessionSettingsOf } from '#storage/connection/session-settings'
import { Client } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { runToEnd, startProcess } from '#test/support/process'
import { type Host, listen, newWorkspace, startHost } from '#test/support/workspace'

import { createLogin, pgbouncerSkip, shippedConfig, startPgbouncer } from './pgbouncer.ts'

const skip = pgbouncerSkip()

test('PgBouncer keeps every prepared statement of the service', () => {
  const statements = readFileSync(new URL('../../queries.sql', import.meta.url), 'utf8')
  const count = statements.match(/;$/gm)?.length ?? 0
  const [, kept] = /^max_prepared_statements = (\d+)$/m.exec(shippedConfig) ?? []
  assert.ok(count > 100 && count <= Number(kept), `${count} statements, ${kept} are kept`)
})

const login = `muster_pooled_${process.pid}`
const [withProduct, withNothing] = [`${login}_product`, `${login}_nothing`]
const owner = `${login}_owner`

let host: Host
let place = ''
let users: string[] = []
const urlOf = (user: string, at = place) =>
  `postgres://${user}:pooled@${at}${new URL(host.url).pathname}`

before(async () => {
  if (skip) return
  host = await startHost()
  users = [
    await createLogin(host.sql, login, sessionSettingsOf(login, longTimeouts)),
    await createLogin(host.sql, withProduct, sessionSettingsOf(withProduct)),
    await createLogin(host.sql, withNothing, []),
    await createLogin(host.sql, owner, [`grant muster_owner to ${owner}`]),
  ]
  // Two server connections for all: transactions of both services take turns on them.
  const config = shippedConfig.replace('default_pool_size = 20', 'default_pool_size = 2')
  place = (await startPgbouncer({ server: host.url, users, config })).place
})

test('two services share two server connections in transaction mode', { skip }, async () => {
  const bases = [await listen(urlOf(login)), await listen(urlOf(login))]
  const homes = [await newWorkspace(host), await newWorkspace(host)]
  const tokens = await Promise.all(
    homes.map(async (home) => (await home.issue({ scopes: ['personnel.manage'] })).token),
  )
  const clientOf = (index: number) =>
    new Client(bases[index % 2] ?? '', tokens[(index >> 1) % 2] ?? '')
  const replies = await Promise.all(
    Array.from({ length: 80 }, async (_, index) => {
      const key = { 'idempotency-key': `pooled-${index % 40}-${(index >> 1) % 2}` }
      const name = `Pooled ${index % 40}`
      const added = await clientOf(index % 40).post('/v1/personnel', { name }, key)
      await clientOf(index).get('/v1/personnel?q=pooled&limit=5')
      return added
    }),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  for (const index of [0, 1, 2, 3]) {
    const { body } = await clientOf(index).get('/v1/personnel')
    assert.equal(body.count, 20, 'each key took effect once, in its own workspace')
  }
  const { rows } = await host.sql.query(
    `select count(*)::int from pg_stat_activity where usename = $1`,
    [login],
  )
  assert.ok(rows[0].count <= 2, `${rows[0].count} server connections`)
})

test('a worker sweeps in transaction mode', { skip }, async () => {
  const { uuid } = await newWorkspace(host)
  await listen(urlOf(login), { sweepSeconds: 1 })
  const isSwept = async () => {
    const query = 'select sweep_due_at > now() as is_swept from workspaces where id = $1'
    return (await host.sql.query(query, [uuid])).rows[0].is_swept as boolean
  }
  for (let tries = 0; tries < 200 && !(await isSwept()); tries++) await sleep(100)
  assert.equal(await isSwept(), true)
})

test('the service recovers when its server connections are terminated', { skip }, async () => {
  const client = new Client(
    await listen(urlOf(login)),
    (await (await newWorkspace(host)).issue({ scopes: ['personnel.manage'] })).token,
  )
  for (let round = 0; round < 3; round++) {
    assert.equal((await client.post('/v1/personnel', { name: `Round ${round}` })).status, 201)
    await host.sql.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = $1',
      [login],
    )
  }
  assert.equal((await client.get('/v1/personnel')).body.count, 3)
})

test(
  'a statement whose Parse failed with its transaction can be sent again',
  { skip },
  async () => {
    const pool = createPool({ url: urlOf(login), role: null, max: 1, timeouts: longTimeouts })
    const client = await pool.connect()
    const later = { name: 'later', text: 'select 2 as two' }
    for (let round = 0; round < 2; round++) {
      const sent = ['begin', { name: 'failing', text: 'select 1 / 0' }, later, 'rollback']
      const ended = await Promise.allSettled(sent.map((each) => client.query(each)))
      const statuses = ended.map(({ status }) => status)
      assert.deepEqual(statuses, ['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    }
    const { rows } = await client.query(later)
    client.release()
    await pool.end()
    assert.deepEqual(rows, [{ two: 2 }])
  },
)

test('`session-settings` prints what the service needs to start', { skip }, async () => {
  const { log } = await startProcess(urlOf(withProduct), {}, { timeouts: 'product' })
  assert.doesNotMatch(log(), /not available yet/)
})

test('a login without the settings is refused at startup', { skip }, async () => {
  const { code, stderr } = await runToEnd('main', { DATABASE_SERVICE_URL: urlOf(withNothing) })
  assert.equal(code, 1)
  assert.match(stderr, /^error: A pooler ignores the settings jit, role, .+see PgBouncer in docs/)
})

test('migrations and admin commands must connect directly', { skip }, async () => {
  const DATABASE_URL = urlOf(owner)
  const [migration, command] = await Promise.all([
    runToEnd('migrate', { DATABASE_URL }),
    runToEnd('admin', { DATABASE_URL }, 'workspace', 'list'),
  ])
  for (const { code, stderr } of [migration, command]) {
    assert.equal(code, 1)
    assert.match(stderr, /^error: .+ Connect to PostgreSQL directly \(DATABASE_URL\)\n$/)
  }
})

test('a PgBouncer that refuses startup options is named in the error', { skip }, async () => {
  const config = shippedConfig.replace('ignore_startup_parameters = options', '')
  const strict = await startPgbouncer({ server: host.url, users, config })
  const DATABASE_SERVICE_URL = urlOf(login, strict.place)
  const { code, stderr } = await runToEnd('main', { DATABASE_SERVICE_URL })
  assert.equal(code, 1)
  assert.match(stderr, /^error: The pooler in DATABASE_SERVICE_URL: unsupported startup parameter/)
})
