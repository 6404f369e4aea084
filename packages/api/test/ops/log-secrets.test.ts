import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import { type Operation, scopes } from '@muster/contract'

import { redact, loggableError } from '#http/ops/log'
import { signIn, tokenOf } from '#test/auth/browser'
import { Client, type Json, type Reply } from '#test/support/client'
import { connect } from '#test/support/database'
import { revokesOwnKey, newExampleFor, clientFor, createFixtureFor } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { startProcess } from '#test/support/process'
import { sendBytes } from '#test/support/raw'
import { newWorkspace, startHost } from '#test/support/workspace'

import { readMetrics } from './metrics-urls.ts'

const host = await startHost({ skipsDriftCheck: true })
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes })

/** A value that must not appear in logs, metrics or refusals. */
const canary = `canary${randomBytes(6).toString('hex')}`
const password = `pw-${canary}`
const withPassword = new URL(host.url)
withPassword.password = password

const service = await startProcess(withPassword.href, {
  LOG_LEVEL: 'trace',
  SWEEP_SECONDS: '1',
  PUBLIC_URL: 'http://localhost:8080',
})
const manager = new Client(service.base, token)
const browser = await signIn(service.base, token)

/** Secrets sent in this test. */
const secrets = [canary, token, tokenOf(browser)]
const refusals: Reply[] = []

/** A body with the canary in all free text. */
const withCanary = (body: Json): Json =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    typeof value === 'string' && /name|title|description|note|rationale|badge/.test(name)
      ? `${value} ${canary}`
      : value,
  )

async function exercise(operation: Operation): Promise<void> {
  const { path, method, body } = operation
  const fixture = await createFixtureFor(manager, operation, canary)
  const target = fixture.fill(path)
  const who = await clientFor(manager, operation)
  const console = revokesOwnKey(operation) ? who : browser
  const headers = { 'idempotency-key': `k-${canary}`, cookie: `other=${canary}`, 'x-own': canary }
  const example = newExampleFor(operation, fixture)
  const good = body && { ...withCanary(example), ...('email' in example && { email: mail() }) }
  const sent = [
    who.send(method, target, { body: good, headers }),
    who.send(method, `${target}?q=${canary}&nonsense=${canary}`, { body: good, headers }),
    who.send(method, `${target}?limit=${canary}`, { body: good }),
    who.send(method, `${target}?cursor=${canary}&limit=1`, { body: good }),
    who.send(method, `${target}?key=${token}`, { body: good }),
    who.send(method, target, { body: good, headers: { authorization: `Bearer ${canary}` } }),
    who.send(method, target, { body: good, headers: { authorization: `Basic ${canary}` } }),
    who.send(method, target, { body: good, headers: { 'if-match': canary } }),
    who.send(method, target, { body: good, headers: { accept: `image/${canary}` } }),
    who.send(method, target.replace(/\w{5}$/, canary), { body: good }),
    console.send(method, target, { body: good, headers: { 'idempotency-key': `b-${canary}` } }),
  ]
  const invalid = [`{"${canary}`, `{"name":{"${canary}":"${canary}"}}`, `["${canary}"]`]
  const bodies = body ? invalid.map((each) => who.send(method, target, { body: each })) : []
  for (const reply of await Promise.all([...sent, ...bodies])) {
    if (reply.status >= 400) refusals.push(reply)
    else if (reply.body?.secret) secrets.push(reply.body.secret)
  }
}

let mails = 0
const mail = () => `${canary}${(mails += 1)}@example.com`

/** Refuses new connections to the database and ends existing ones, or allows them again. */
async function closeDatabase(isClosed: boolean): Promise<void> {
  const name = new URL(host.url).pathname.slice(1)
  const beside = await connect(new URL('/postgres', host.url).href)
  await beside.query(`alter database ${name} allow_connections ${!isClosed}`)
  const own = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = $1 and application_name = 'muster'`
  await beside.query(own, [name])
  await beside.end()
}

/** Provokes database errors whose messages contain input values. */
async function breakDatabase(): Promise<void> {
  const person = { name: `${canary} x`, email: mail() }
  const add = async (status: number) => {
    const reply = await manager.post('/v1/personnel', person)
    assert.equal(reply.status, status, reply.text)
    refusals.push(reply)
  }
  await host.sql.query(
    `alter table people add constraint odd check (name not like 'canary%') not valid`,
  )
  await add(503)
  await host.sql.query('alter table people drop constraint odd')
  await host.sql.query(`create function muster.leak() returns trigger language plpgsql as
    $$ begin raise exception 'not %', new using detail = new.email, hint = new.name; end $$`)
  await host.sql.query(
    'create trigger odd before insert on people for each row execute function leak()',
  )
  await add(500)
  await host.sql.query('drop trigger odd on people')
  await host.sql.query('alter table people rename to persons')
  await add(500)
  await host.sql.query('alter table persons rename to people')
  await closeDatabase(true)
  await add(503)
  await closeDatabase(false)
  await add(201)
  refusals.pop()
}

test('keeps input out of logs, metrics and refusals', async () => {
  for (const { operation } of keyOperations()) await exercise(operation)
  for (const bytes of [
    `GET /${canary} HTTP/1.1\r\nhost: ${canary} x\r\n\r\n`,
    `${canary}\r\n\r\n`,
    `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${canary.repeat(1000)}\r\n\r\n`,
    `GET /%zz${canary} HTTP/1.1\r\nhost: x\r\n\r\n`,
  ]) {
    await sendBytes(service.base, bytes, 500)
  }
  await breakDatabase()

  const { rows } = await host.sql.query(`select count(*) from people where name like $1`, [
    `%${canary}%`,
  ])
  assert.ok(Number(rows[0].count) > 10, 'the canary is stored')
  const log = service.log()
  const lines = log.split('\n').filter(Boolean)
  assert.ok(lines.length > keyOperations().length * 10, 'there is a log line for each request')
  assert.match(log, /"code":"23514"/, 'database errors are logged')
  assert.match(log, /"code":"P0001"/)
  const metrics = await readMetrics(service.base)
  for (const secret of secrets) {
    const leak = lines.find((line) => line.includes(secret))
    assert.equal(leak, undefined)
    assert.ok(!metrics.includes(secret), 'not in a metric')
    const shown = refusals.find(({ text }) => text.includes(secret))
    assert.equal(shown?.text, undefined)
  }
  assert.ok(refusals.length > keyOperations().length * 5)
})

const fields =
  'level time request_id trace_id operation route method status ms is_complete ' +
  'workspace_id key_id user_id'
const listed = new Set(fields.split(' '))

test('logs requests with the listed fields and no others', () => {
  const requests = service
    .log()
    .split('\n')
    .filter((line) => line.includes('"is_complete"'))
  assert.ok(requests.length > 100)
  for (const line of requests) {
    const unlisted = Object.keys(JSON.parse(line)).filter((name) => !listed.has(name))
    assert.deepEqual(unlisted, [])
  }
})

test('logs an error by type, code and stack, without its message', () => {
  const cause = Object.assign(new Error(`Key (email)=(${canary})`), {
    name: 'error',
    code: '23505',
    constraint: 'people_email',
    detail: canary,
    where: canary,
    parameters: [canary],
  })
  const error = new TypeError(`first ${canary}\n    at ${canary} (x:1:1)\nlast`, { cause })
  const logged = loggableError(error)
  assert.ok(!JSON.stringify(logged).includes(canary), JSON.stringify(logged))
  assert.equal(logged.type, 'TypeError')
  assert.match(logged.stack, /log-secrets\.test\.ts:\d+/)
  const [inner] = logged.causes
  assert.equal(inner?.['code'], '23505')
  assert.equal(inner?.['constraint'], 'people_email')
  assert.equal(loggableError(new assert.AssertionError({ message: 'ours' })).message, 'ours')
  assert.equal(loggableError(canary).message, '')
  let outer = new Error('deepest')
  for (let causes = 0; causes < 9; causes++) outer = new Error('outer', { cause: outer })
  let depth = 0
  for (let [each] = loggableError(outer).causes; each; [each] = each.causes) depth += 1
  assert.equal(depth, 5, 'of a long chain of causes, the first are logged')
})

test('redacts credentials in a log line, whatever their source', () => {
  const line = redact(`{"a":"${token}","b":"${browser.cookie}","c":"${withPassword.href}"}`)
  for (const secret of [...secrets, password]) assert.ok(!line.includes(secret), line)
  assert.ok(line.includes('127.0.0.1') || line.includes(withPassword.hostname))
})

for (const [what, env] of Object.entries({
  'an invalid address': { DATABASE_URL: `postgres://muster:${password}@[nowhere/x` },
  'an unknown database': {
    DATABASE_URL: `${withPassword.href.replace(/\/[^/]*$/, '')}/no_such_database`,
  },
  'an invalid setting': { DATABASE_URL: withPassword.href, PORT: canary },
})) {
  test(`reports ${what} without the password`, async () => {
    await assert.rejects(startProcess(host.url, env), (error: Error) => {
      assert.match(error.message, /The service ended/)
      assert.ok(error.message.length > 50, 'a reason is given')
      for (const secret of [canary, password]) assert.ok(!error.message.includes(secret))
      return true
    })
  })
}
