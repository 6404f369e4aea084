import assert from 'node:assert/strict'
import { test } from 'node:test'

import { atEnd } from '@muster/testing/at-end'

import { createPool } from '#storage/connection/pool'
import { upsertPerson } from '#storage/nouns/personnel'
import type { Read } from '#storage/statements/access'
import { Database } from '#storage/transaction/database'
import { meanings } from '#storage/values/sqlstate'
import { Client } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { startProcess } from '#test/support/process'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

/** Makes every insert of a person fail in the given way. */
async function failInserts(when: 'before insert' | 'at commit', plpgsql: string): Promise<void> {
  await host.sql.query(`
    create or replace function sabotage() returns trigger language plpgsql as
    $$ begin ${plpgsql}; return new; end $$;
    grant execute on function sabotage to muster_app`)
  await host.sql.query(
    when === 'at commit'
      ? `create constraint trigger sabotage after insert on people deferrable initially deferred
         for each row execute function sabotage()`
      : `create trigger sabotage before insert on people for each row execute function sabotage()`,
  )
}

const repair = () => host.sql.query('drop trigger sabotage on people')

const count = async (name: string) =>
  (await manager.get(`/v1/personnel?q=${encodeURIComponent(name)}`)).body.count

const classes: Record<string, string> = {
  '08': '08006',
  '53': '53100',
  '57': '57P03',
  '58': '58030',
}
const expected = {
  lost_race: '503 unavailable',
  unavailable: '503 unavailable',
  bad_value: '400 bad_json',
  bug: '500 internal',
}
const codes = [
  ...Object.entries(meanings).map(([code, meaning]) => [classes[code] ?? code, meaning] as const),
  ...['22P02', '42704', '42501', 'XX000', 'P0001'].map((code) => [code, 'bug'] as const),
]

for (const [code, meaning] of codes) {
  test(`SQLSTATE ${code} is ${meaning}: ${expected[meaning]}`, async () => {
    await host.sql.query('create sequence if not exists tries')
    await host.sql.query(
      `grant usage on sequence tries to muster_app; alter sequence tries restart`,
    )
    await failInserts('before insert', `perform nextval('tries'); raise sqlstate '${code}'`)
    const reply = await manager.post('/v1/personnel', { name: `Saboteur ${code}` })
    await repair()
    assert.equal(`${reply.status} ${reply.body.code}`, expected[meaning])
    assert.equal(reply.headers.get('retry-after'), reply.status === 503 ? '1' : null)
    const { rows } = await host.sql.query('select last_value::int as tries from tries')
    assert.equal(rows[0].tries, meaning === 'lost_race' ? 3 : 1, 'only a lost race is retried')
    assert.equal(await count(`Saboteur ${code}`), 0)
  })
}

test('reports a COMMIT that stopped waiting for its standby as in doubt, and replays it', async () => {
  const key = { 'idempotency-key': 'doubt-1' }
  await failInserts(
    'at commit',
    `raise warning 'canceling wait for synchronous replication due to user request'`,
  )
  const first = await manager.post('/v1/personnel', { name: 'Doubt One' }, key)
  await repair()
  assert.equal(`${first.status} ${first.body.code}`, '503 commit_in_doubt')
  assert.equal(first.headers.get('retry-after'), '1')
  const again = await manager.post('/v1/personnel', { name: 'Doubt One' }, key)
  assert.equal(again.status, 201)
  assert.equal(again.headers.get('idempotent-replayed'), 'true', 'it had been committed')
  assert.equal(await count('Doubt One'), 1)
})

test('reports a connection lost during COMMIT as in doubt, and accepts a retry', async () => {
  const key = { 'idempotency-key': 'doubt-2' }
  await failInserts('at commit', `perform pg_terminate_backend(pg_backend_pid())`)
  const first = await manager.post('/v1/personnel', { name: 'Doubt Two' }, key)
  await repair()
  assert.equal(`${first.status} ${first.body.code}`, '503 commit_in_doubt')
  const again = await manager.post('/v1/personnel', { name: 'Doubt Two' }, key)
  assert.equal(again.status, 201)
  assert.equal(again.headers.get('idempotent-replayed'), null, 'it had not been committed')
  assert.equal(await count('Doubt Two'), 1)
})

test('survives the loss of every database connection, and serves again at once', async () => {
  const service = await startProcess(host.url)
  const client = new Client(service.base, manager.token)
  for (let round = 0; round < 5; round++) {
    const busy = Array.from({ length: 20 }, () => client.get('/v1/personnel?limit=100'))
    await host.sql.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where application_name = 'muster' and datname = current_database()`,
    )
    for (const { status, text } of await Promise.all(busy)) {
      assert.ok([200, 503].includes(status), `${text}\n${service.log()}`)
    }
    assert.equal((await client.get('/v1/personnel?limit=1')).status, 200)
  }
  assert.equal(service.process.exitCode, null)
})

test('answers 503 with Retry-After after a lock timeout', async () => {
  await host.sql.query('begin')
  await host.sql.query('select 1 from workspace_counters where workspace_id = $1 for update', [
    home.uuid,
  ])
  const base = await listen(host.url, { timeouts: { ...longTimeouts, lockMs: 200 } })
  const reply = await new Client(base, manager.token).post('/v1/personnel', { name: 'Patience' })
  await host.sql.query('rollback')
  assert.equal(`${reply.status} ${reply.body.code}`, '503 unavailable')
  assert.equal(reply.headers.get('retry-after'), '1')
})

test('refuses a query after the end of its transaction', async () => {
  const database = new Database(
    createPool({ url: host.url, role: 'muster_app', max: 1, timeouts: longTimeouts }),
  )
  atEnd(() => database[Symbol.asyncDispose]())
  let leaked: Read | undefined
  await database.read({ workspaceId: home.id }, async (read) => {
    leaked = read
  })
  await assert.rejects(
    async () => leaked?.db.selectFrom('people').select('id').execute(),
    /after its transaction had ended/,
  )
})

test('refuses a write that records no event', async () => {
  const person = (await manager.post('/v1/personnel', { name: 'Template' })).body
  const unrecorded = host.owner.write(home.admin, async (write) => {
    upsertPerson(write, null, { ...person, id: write.newId('usr'), name: 'Unsaid' })
  })
  await assert.rejects(unrecorded, /must record what it did/)
  assert.equal(await count('Unsaid'), 0)
})

test('assigns sequence numbers without gaps, and keeps history complete, under 12 writers', async () => {
  const workspace = await newWorkspace(host)
  const client = await workspace.manager()
  const { rows: before } = await host.sql.query(
    'select seq::int from workspace_counters where workspace_id = $1',
    [workspace.uuid],
  )
  await Promise.all(
    Array.from({ length: 12 }, async (_, writer) => {
      for (let index = 0; index < 10; index++) {
        // Every third write is refused, and must leave no gap.
        const email = index % 3 === 0 ? 'same@example.com' : null
        await client.post('/v1/personnel', { name: `W${writer}.${index}`, email })
      }
    }),
  )
  const { rows: events } = await host.sql.query(
    `select seq::int, position, type from events where workspace_id = $1 and type like 'person%'
     order by seq, position`,
    [workspace.uuid],
  )
  const made = 12 * 6 + 1
  assert.deepEqual(
    events.map(({ seq }) => seq),
    Array.from({ length: made }, (_, index) => before[0].seq + 1 + index),
  )
  const { rows } = await host.sql.query(
    `select count(*)::int as people, count(h.id)::int as kept,
       (select people from workspace_counters c where c.workspace_id = $1) as counted,
       bool_and(h.from_seq = p.version) as is_whole
     from people p left join history h on h.workspace_id = p.workspace_id and h.id = p.id
     where p.workspace_id = $1`,
    [workspace.uuid],
  )
  assert.deepEqual(rows, [{ people: made, kept: made, counted: made, is_whole: true }])
})
