import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits, type Operation } from '@muster/contract'

import { databaseTimeouts } from '#storage/connection/timeouts'
import { Client, type Json } from '#test/support/client'
import { newRowFor, type Fixture, createFixture } from '#test/support/fixture'
import { longTimeouts } from '#test/support/long-timeouts'
import { keyOperations } from '#test/support/operations'
import { isLong } from '#test/support/size'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

import {
  addPeople,
  bytesOf,
  contents,
  enlarged,
  type Fields,
  filledUp,
  settable,
} from './largest-bodies.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const people = await addPeople(manager)

/**
 * A batch must finish within the statement and request time limits. This file runs alone, so that
 * no other test takes its time.
 */
for (const { name, operation } of keyOperations()) {
  if (operation.rows === undefined) continue
  // A batch of several projects saves its rows as that of one.
  if (name.endsWith('_across') && !isLong) continue
  const fields = settable(name, operation)
  const short = fields.filter(([, { maxLength = 0 }]) => maxLength <= 500)

  test(`${name} accepts ${limits.itemsMax} ordinary rows, new and changed`, async () => {
    const fixture = await createFixture(manager)
    const made = await accept(
      operation,
      fixture,
      fitting(() => newRowFor(name, operation, fixture)),
    )
    const changed = made.map(({ id }) => {
      const { code: _, ...row } = newRowFor(name, operation, fixture)
      return { ...row, id }
    })
    await accept(operation, fixture, changed)
  })

  for (const [what, content] of Object.entries(contents)) {
    test(`${name} accepts its largest rows of ${what}`, async (t) => {
      const fixture = await createFixture(manager)
      const largest = (set: Fields) =>
        enlarged(newRowFor(name, operation, fixture), set, { content, people: people.slice(0, 1) })
      for (const data of [
        fitting(() => largest(short)),
        fitting(() => filledUp(largest(fields), fields, { content, bytes: roomBytes })),
      ]) {
        await accept(operation, fixture, data)
        t.diagnostic(`${data.length} rows, ${bytesOf({ data })} bytes`)
      }
    })
  }
}

test(`personnel.reassign accepts ${limits.itemsMax} items within the time of a statement`, async (t) => {
  const { ids, fill } = await createFixture(manager)
  const { user_id } = ids
  const add = async (path: string, length: number, row: object) => {
    const data = Array.from({ length }, () => ({ title: 'Leak', ...row }))
    const reply = await manager.post(fill(path), { data })
    assert.equal(reply.status, 200, reply.text.slice(0, 2000))
  }
  const rated = { likelihood: 2, impact: 2, owner_user_id: user_id }
  await add('/v1/projects/{project_id}/risks/batch', limits.itemsMax / 2, rated)
  const assigned = { severity: 2, assignee_user_id: user_id }
  await add('/v1/projects/{project_id}/issues/batch', limits.itemsMax / 2, assigned)
  const work = await manager.get(`/v1/personnel/${user_id}/assignments?limit=${limits.itemsMax}`)
  const items = work.body.data.map(({ type, id }: Json, index: number) => ({
    type,
    id,
    to_user_id: people[index],
  }))
  const bytes = bytesOf({ items })
  assert.ok(bytes > limits.bodyBytesMax && bytes < limits.idListBytesMax)
  const { statementMs, queryMs, flushMs } = databaseTimeouts
  const timeouts = { ...longTimeouts, statementMs, queryMs, flushMs }
  const client = new Client(await listen(host.url, { timeouts }), manager.token)
  const started = performance.now()
  const reply = await client.post(`/v1/personnel/${user_id}/reassign`, { items })
  t.diagnostic(`${bytes} bytes, ${Math.round(performance.now() - started)} ms`)
  assert.equal(reply.status, 200, reply.text.slice(0, 2000))
  assert.equal(reply.body.handovers.length, limits.itemsMax)
})

/** Room for the most links and the most metadata in one row. */
const roomBytes = 2 * limits.bodyBytesMax

/** The most rows that fit the row limit and the byte limit of a batch. */
function fitting(row: () => Json): Json[] {
  const data: Json[] = []
  for (let left = limits.batchBytesMax - 20; data.length < limits.itemsMax;) {
    const next = row()
    left -= bytesOf(next) + 1
    if (left < 0) break
    data.push(next)
  }
  return data
}

async function accept(
  { path, status }: Operation,
  fixture: Fixture,
  data: Json[],
): Promise<Json[]> {
  const reply = await manager.post(fixture.fill(path), { data })
  assert.equal(reply.status, status, reply.text.slice(0, 2000))
  assert.equal(reply.body.data.length, data.length)
  return reply.body.data
}
