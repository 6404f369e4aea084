import assert from 'node:assert/strict'
import { test } from 'node:test'

import { atEnd } from '@muster/testing/at-end'

import { Sweeper } from '#domain/workspace/sweep'
import { addTaskStates } from '#domain/workspace/task-states'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { findDrift } from '#test/drift/drift'
import type { Json } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { longTimeouts } from '#test/support/long-timeouts'
import { sweepDue } from '#test/support/sweep'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
let time = new Date('2027-01-01T10:00:00Z')
const pool = createPool({ url: host.url, role: 'muster_app', max: 3, timeouts: longTimeouts })
const database = new Database(pool, { clock: () => time })
atEnd(() => database[Symbol.asyncDispose]())

/** A workspace with tasks, as a release without states of tasks left it. */
async function upgraded(count: number) {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const { fill } = await createFixture(manager)
  const path = fill('/v1/projects/{project_id}/tasks')
  for (let index = 0; index < count; index++) {
    const links = [{ title: 'Plan', url: 'https://documents.example/plan' }]
    const reply = await manager.post(path, { title: `Task ${index}`, due_on: '2027-02-01', links })
    assert.equal(reply.status, 201, reply.text)
  }
  const [first] = (await manager.get(path)).body.data
  const done = { body: { status: 'done' } }
  assert.equal((await manager.send('PATCH', `${path}/${first.id}`, done)).status, 200)
  const states = async () => {
    const { rows } = await host.sql.query(
      `select id, from_seq, metadata_seq, metadata, data from history
       where workspace_id = $1 and noun = 'task' order by id, from_seq`,
      [home.uuid],
    )
    return rows
  }
  const kept = await states()
  const forget = `delete from history where workspace_id = $1 and noun = 'task'`
  await host.sql.query(forget, [home.uuid])
  return { ...home, manager, path, kept, states }
}

const drift = (workspace: string) => findDrift(host.sql, { workspace })

async function sweep() {
  const { failures } = await sweepDue(new Sweeper(database))
  return failures
}

const isMarked = async (uuid: string) => {
  const query = 'select has_task_states from workspace_counters where workspace_id = $1'
  return (await host.sql.query(query, [uuid])).rows[0].has_task_states as boolean
}

test('a change of a task keeps its states', async () => {
  const { kept } = await upgraded(2)
  const changed = kept.find(({ data }) => data.status === 'done')
  const [created, done] = kept.filter(({ id }) => id === changed?.id)
  assert.deepEqual([created.data.status, done.data.status], ['todo', 'done'])
  assert.deepEqual([created.metadata, done.metadata], [{}, null])
  assert.equal(done.metadata_seq, created.from_seq)
})

test('the sweep adds the present states of earlier tasks once, and no number', async () => {
  const { uuid, kept, states, manager } = await upgraded(3)
  assert.match((await drift(uuid)).join(), /task .* has the version \d+, and its last state is of /)
  const before = (await manager.get('/v1/tasks')).body.as_of
  assert.deepEqual(await sweep(), [])
  const last = new Map<string, Json>(kept.map((state) => [state.id, state]))
  const expected = [...last.values()].map(({ data, ...state }) => ({
    ...state,
    metadata: {},
    metadata_seq: state.from_seq,
    data,
  }))
  assert.ok(expected.length >= 4)
  assert.deepEqual(await states(), expected)
  assert.deepEqual(await drift(uuid), [])
  assert.equal(await isMarked(uuid), false, 'the previous release may still write')
  time = new Date(time.getTime() + 24 * 60 * 60 * 1000)
  assert.deepEqual(await sweep(), [])
  assert.equal(await isMarked(uuid), true)
  assert.deepEqual(await states(), expected)
  assert.equal((await manager.get('/v1/tasks')).body.as_of, before)
})

test('a write before the sweep stores the first state of its task', async () => {
  const { uuid, path, manager, states } = await upgraded(1)
  const [task] = (await manager.get(`${path}?status=done`)).body.data
  const body = { title: 'Renamed' }
  assert.equal((await manager.send('PATCH', `${path}/${task.id}`, { body })).status, 200)
  const [state] = await states()
  assert.deepEqual([state.data.title, state.metadata], ['Renamed', {}])
  assert.deepEqual(await sweep(), [])
  const own = (await states()).filter(({ id }) => id === state.id)
  assert.equal(own.length, 1, 'the sweep adds no earlier state')
  const again = { body: { title: 'Again' } }
  assert.equal((await manager.send('PATCH', `${path}/${task.id}`, again)).status, 200)
  assert.deepEqual(await drift(uuid), [])
})

test('races between the job and writes leave one state for each number', async () => {
  const { id, uuid, path, manager } = await upgraded(8)
  const tasks: Json[] = (await manager.get(`${path}?status=todo`)).body.data
  const job = () =>
    database.writeUnnumbered({ workspaceId: id }, (read) => addTaskStates(read, null))
  const writes = tasks.map((task) =>
    manager.send('PATCH', `${path}/${task.id}`, { body: { title: 'Raced' } }),
  )
  const [, , ...replies] = await Promise.all([job(), job().catch(() => null), ...writes])
  for (const { status, text } of replies) assert.equal(status, 200, text)
  await job()
  assert.deepEqual(await drift(uuid), [])
})

test('the sweep fails for a workspace with a task that has no event at its version', async () => {
  const { uuid, kept } = await upgraded(1)
  const task = kept.at(-1)
  const change = 'update tasks set version = $2 where workspace_id = $1 and id = $3'
  await host.sql.query(change, [uuid, 1, task.id])
  const [failure] = await sweep()
  assert.match(String(failure), new RegExp(`the task ${task.id} has no event at its version`))
  await host.sql.query(change, [uuid, task.from_seq, task.id])
  assert.deepEqual(await sweep(), [])
  assert.deepEqual(await drift(uuid), [])
})
