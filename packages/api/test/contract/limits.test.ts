import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isList, limits, type Operation, operations } from '@muster/contract'

import { Client, type Json } from '#test/support/client'
import { newExampleFor, clientFor, createFixture, createFixtureFor } from '#test/support/fixture'
import { longTimeouts } from '#test/support/long-timeouts'
import { keyOperations } from '#test/support/operations'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

import { addPeople, bytesOf, contents, enlarged, filledUp, settable } from './largest-bodies.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const people = await addPeople(manager)

/** Preparation that a body at its limits needs. */
const prepare: Readonly<Record<string, (groupPath: string) => Promise<unknown>>> = {
  'groups.update': (path) => manager.send('PATCH', `${path}/members`, { body: { add: people } }),
}

/** Bodies larger than one request may change, split into two requests. */
const parts: Readonly<Record<string, readonly Json[]>> = {
  'groups.change_members': [{ add: people }, { remove: people }],
}

for (const { name, operation } of keyOperations()) {
  // Batches are in limits.alone.test.ts.
  if (operation.body === undefined || operation.rows !== undefined) continue
  for (const [what, content] of Object.entries(contents)) {
    test(`${name} accepts its largest body of ${what}`, async (t) => {
      const fixture = await createFixtureFor(manager, operation)
      await prepare[name]?.(fixture.fill(operations.groups.view.path))
      const fields = settable(name, operation)
      const enlargedBody = enlarged(newExampleFor(operation, fixture), fields, { content, people })
      const most = operation.bodyBytesMax ?? limits.bodyBytesMax
      const large = filledUp(enlargedBody, fields, { content, bytes: most })
      const sender = await clientFor(manager, operation)
      for (const body of parts[name] ?? [large]) {
        const { method, path, status } = operation
        const reply = await sender.send(method, fixture.fill(path), { body })
        assert.equal(reply.status, status, reply.text)
        t.diagnostic(`${bytesOf(body)} of ${most} bytes`)
      }
    })
    if (!isIndexed(operation)) break
  }
}

/** Whether a text of the body is indexed. For others one content is enough. */
function isIndexed({ body }: Operation): boolean {
  return ['name', 'title'].some((field) => field in (body?.properties ?? {}))
}

/** The largest legal value of a list parameter; null where there is nothing to enlarge. */
function largestParameter(name: string, { type, maximum, maxItems, items, ...shape }: Json) {
  if (name === 'limit') return maximum
  if (name === 'q') return '\u{fdfa}'.repeat(shape.maxLength)
  if (type !== 'array' || name === 'include') return null
  if (items.enum) return items.enum.join()
  return items.pattern?.includes('usr_') ? people.slice(0, maxItems).join() : null
}

for (const { name, operation } of keyOperations()) {
  if (!isList(operation)) continue
  test(`${name} accepts its largest parameters`, async () => {
    const fixture = await createFixture(manager)
    for (const [parameter, shape] of Object.entries(operation.query.properties)) {
      const value = largestParameter(parameter, shape)
      if (value === null) continue
      const query = new URLSearchParams({ limit: String(limits.page.max), [parameter]: value })
      const reply = await manager.get(`${fixture.fill(operation.path)}?${query.toString()}`)
      assert.equal(reply.status, 200, `${parameter}: ${reply.text.slice(0, 500)}`)
    }
  })
}

test('finds a text that is too long for the index by search', async () => {
  // The digit keeps random texts of other tests, which have letters only, out of the result.
  const long = '\u{fdfa}'.repeat(190)
  const fixture = await createFixture(manager)
  const made = {
    '/v1/personnel': { name: `${long} Zoe7` },
    '/v1/groups': { name: `${long.slice(0, 90)} Zoe7` },
    '/v1/projects': { name: `${long} Zoe7`, code: 'LONG' },
    [`/v1/projects/${fixture.ids['project_id']}/risks`]: {
      title: `${long} Zoe7`,
      likelihood: 1,
      impact: 1,
    },
    [`/v1/projects/${fixture.ids['project_id']}/issues`]: { title: `${long} Zoe7`, severity: 1 },
  }
  for (const [path, body] of Object.entries(made)) {
    const reply = await manager.post(path, body)
    assert.equal(reply.status, 201, reply.text)
    const list = `/v1/${path.split('/').at(-1)}`
    for (const [q, expected] of [
      ['zoe7', [reply.body.id]],
      ['مصلى الله عليه وسلم zoe7', [reply.body.id]],
      ['zoe7y', []],
    ] as const) {
      const found = await manager.get(`${list}?limit=10&include=total_count&q=${encodeURI(q)}`)
      assert.deepEqual(
        found.body.data.map(({ id }: Json) => id),
        expected,
      )
      assert.equal(found.body.total_count, expected.length)
    }
  }
})

test('limits the number of errors in the refusal of a largest body', async () => {
  const unknown = people.map((id) => id.replace(/.{8}$/, '00000000'))
  for (const body of [
    { name: 'Crew', member_user_ids: unknown },
    { name: 'Crew', lead_user_ids: unknown.slice(0, limits.leadsMax) },
  ]) {
    const { status, body: problem } = await manager.post('/v1/groups', body)
    assert.equal(status, 422)
    assert.equal(problem.errors.length, limits.errorsMax)
  }
})

test('lets the statements of one write together exceed the limit of a single statement', async () => {
  const slow = ['people', 'history', 'events']
  for (const table of slow) {
    await host.sql.query(`
      create function slow_${table}() returns trigger language plpgsql as
        'begin perform pg_sleep(1.2); return null; end';
      create trigger slow before insert on ${table} execute function slow_${table}()`)
  }
  const timeouts = { ...longTimeouts, statementMs: 3000, queryMs: 3200 }
  const client = new Client(await listen(host.url, { timeouts }), manager.token)
  const { status, text } = await client.post('/v1/personnel', { name: 'Ada' })
  for (const table of slow) await host.sql.query(`drop function slow_${table}() cascade`)
  assert.equal(status, 201, text)
})
