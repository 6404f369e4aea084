import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import type { Json, Reply } from '#test/support/client'
import { startHost } from '#test/support/workspace'

import { assignWork, code, named, refs } from './assigned-work.ts'

const host = await startHost()

/** The work of Ada by reference, and a third person. */
async function setup() {
  const work = await assignWork(host)
  const { data }: { data: Json[] } = await work.list(work.ada)
  const cy: string = (await work.make('/v1/personnel', { name: 'Cy' })).id
  const item = (ref: string, to_user_id: string) => {
    const found = data.find((each) => each.ref === ref)
    return { type: found?.type, id: found?.id, to_user_id }
  }
  return { ...work, cy, item }
}

const errorsOf = ({ status, body }: Reply): string[] => [
  `${status} ${body.code}`,
  ...(body.errors ?? []).map((error: Json) => `${error.pointer} ${error.code}`),
]

const unknown = (prefix: string) => `${prefix}_00000000000000000000000000`

test('reassigns selected items to several people in one write', async () => {
  const { ada, bo, cy, item, list, reassign, uuid } = await setup()
  const items = [
    item('DAM-R2', cy),
    item('DAM', bo),
    item('BAY-T1', cy),
    item('BAY-I1', bo),
    item('DAM-R1', bo),
  ]
  const { status, body } = await reassign(ada, { items })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    user_id: ada,
    reassigned: { projects: 1, risks: 2, issues: 1, tasks: 1 },
    handovers: [
      { to_user_id: cy, reassigned: { projects: 0, risks: 1, issues: 0, tasks: 1 } },
      { to_user_id: bo, reassigned: { projects: 1, risks: 1, issues: 1, tasks: 0 } },
    ],
  })
  const toBo = ['DAM', 'DAM-R1', 'BAY-I1']
  const toCy = ['DAM-R2', 'BAY-T1']
  const among = (wanted: string[]) => refs.filter(([, ref = '']) => wanted.includes(ref))
  assert.deepEqual(named((await list(bo)).data), among(toBo))
  assert.deepEqual(named((await list(cy)).data), among(toCy))
  assert.equal((await list(ada)).count, refs.length - items.length)
  const { rows } = await host.sql.query(
    `select seq, count(*)::int as events from events
     where workspace_id = $1 and changed && '{owner_user_id,assignee_user_id}'
       and type like '%.updated' group by seq`,
    [uuid],
  )
  assert.deepEqual(
    rows.map(({ events }) => events),
    [items.length],
    'one sequence number with an event for each item',
  )
})

test('keeps the change of a selected item in its history', async () => {
  const { manager, ada, bo, item, projects, reassign } = await setup()
  const risk = item('DAM-R1', bo)
  const { body } = await reassign(ada, { items: [risk] })
  assert.equal(body.to_user_id, bo, 'one new owner')
  const path = `/v1/projects/${projects[0].id}/risks/${risk.id}`
  const last = (await manager.get(`${path}/history`)).body.data.at(-1)
  assert.equal(last.type, 'risk.updated')
  assert.deepEqual(last.changes, [{ field: 'owner_user_id', from: ada, to: bo }])
  assert.equal((await manager.get(path)).body.version, last.seq)
})

test('takes either to_user_id or items', async () => {
  const { ada, bo, item, projects, reassign } = await setup()
  const items = [item('DAM-R1', bo)]
  const project_id = projects[0].id
  for (const [body, ...errors] of [
    [{}, '/to_user_id required', '/items required'],
    [{ project_id }, '/to_user_id required', '/items required'],
    [{ items, to_user_id: bo }, '/to_user_id contradiction'],
    [{ items, project_id }, '/project_id contradiction'],
    [{ items: [] }, '/items too_few'],
    [
      { items, to_user_id: bo, project_id },
      '/to_user_id contradiction',
      '/project_id contradiction',
    ],
    [{ items: Array(limits.itemsMax + 1).fill(items[0]) }, '/items too_many'],
  ] as const) {
    const refusal = errorsOf(await reassign(ada, body))
    assert.deepEqual(refusal, ['422 validation_failed', ...errors])
  }
  const { detail } = (await reassign(ada, {})).body
  assert.match(detail, /^\/to_user_id is required, unless items is sent\./)
})

test('refuses items that contradict each other or their person', async () => {
  const { ada, bo, cy, item, list, reassign } = await setup()
  const items = [
    item('DAM-R1', bo),
    item('DAM-I1', ada),
    item('DAM-R1', cy),
    { ...item('DAM-T1', bo), type: 'issue' },
  ]
  assert.deepEqual(errorsOf(await reassign(ada, { items })), [
    '422 validation_failed',
    '/items/1/to_user_id contradiction',
    '/items/2/id repeated',
    '/items/3/id contradiction',
  ])
  assert.equal((await list(ada)).count, refs.length)
})

test('reassigns nothing if one item is not assigned to the person now', async () => {
  const { ada, bo, cy, item, list, make, projects, reassign } = await setup()
  const here = `/v1/projects/${projects[0].id}`
  await reassign(ada, { items: [item('DAM-R1', cy)] })
  await make(`${here}/issues/${item('DAM-I1', bo).id}/close`, { close_reason: 'resolved' })
  const items = [
    item('DAM-R2', bo),
    item('DAM-R1', bo),
    item('DAM-I1', bo),
    { type: 'task', id: unknown('tsk'), to_user_id: bo },
    item('BAY', bo),
  ]
  const refusal = await reassign(ada, { items })
  assert.deepEqual(errorsOf(refusal), [
    '422 validation_failed',
    '/items/1/id not_assigned',
    '/items/2/id not_assigned',
    '/items/3/id not_assigned',
  ])
  assert.match(refusal.body.detail, /List the assigned work of the person again/)
  assert.equal((await list(bo)).count, 0)
  assert.equal(await code(reassign(ada, { items: [items[0], items[4]] })), '200')
  assert.equal((await list(bo)).count, 2)
})

test('does not reassign an archived project', async () => {
  const { manager, ada, bo, item, projects, reassign } = await setup()
  const path = `/v1/projects/${projects[0].id}`
  await manager.post(`${path}/archive`, { if_live_items: 'close' })
  const refusal = errorsOf(await reassign(ada, { items: [item('DAM', bo)] }))
  assert.deepEqual(refusal, ['422 validation_failed', '/items/0/id not_assigned'])
  assert.equal((await manager.get(path)).body.owner_user_id, ada)
})

test('answers for an item of another workspace as for one that does not exist', async () => {
  const { ada, bo, reassign } = await setup()
  const other = await setup()
  for (const [ref, prefix] of [
    ['DAM', 'prj'],
    ['DAM-R1', 'rsk'],
    ['DAM-I1', 'iss'],
    ['DAM-T1', 'tsk'],
  ] as const) {
    const foreign = other.item(ref, bo)
    const items = [foreign, { ...foreign, id: unknown(prefix) }]
    const { body } = await reassign(ada, { items })
    const [first, second] = body.errors
    assert.deepEqual(first, { ...second, pointer: '/items/0/id' })
    assert.equal(first.code, 'not_assigned')
  }
  const foreigner = await reassign(ada, { items: [{ ...other.item('DAM', other.bo) }] })
  assert.deepEqual(errorsOf(foreigner), [
    '422 validation_failed',
    '/items/0/to_user_id unknown_reference',
  ])
  assert.equal((await other.list(other.ada)).count, refs.length)
})

test('reassigns selected items only to active people', async () => {
  const { manager, ada, bo, cy, item, list, reassign } = await setup()
  await manager.post(`/v1/personnel/${ada}/depart`, {})
  await manager.post(`/v1/personnel/${cy}/suspend`, {})
  const items = [item('DAM', bo), item('BAY', cy), item('DAM-R1', unknown('usr'))]
  assert.deepEqual(errorsOf(await reassign(ada, { items })), [
    '422 validation_failed',
    '/items/1/to_user_id not_assignable',
    '/items/2/to_user_id unknown_reference',
  ])
  assert.equal((await list(ada)).count, refs.length)
  const valid = { items: items.slice(0, 1) }
  assert.equal(await code(reassign(unknown('usr'), valid)), '404 not_found')
  assert.equal(await code(reassign(ada, valid)), '200')
})

test('repeats the result of selected items for the same Idempotency-Key', async () => {
  const { manager, ada, bo, cy, item, reassign } = await setup()
  const send = (items: object[]) =>
    manager.send('POST', `/v1/personnel/${ada}/reassign`, {
      body: { items },
      headers: { 'idempotency-key': 'handover-1' },
    })
  const items = [item('DAM-R1', bo), item('DAM-T1', cy)]
  const first = await send(items)
  assert.equal(first.status, 200, first.text)
  assert.deepEqual((await send(items)).body, first.body)
  assert.equal((await send(items.slice(1))).body.code, 'idempotency_key_reused')
  const again = errorsOf(await reassign(ada, { items }))
  assert.deepEqual(again.slice(1), ['/items/0/id not_assigned', '/items/1/id not_assigned'])
})

test('lets only one of several concurrent requests reassign an item', async () => {
  const { ada, bo, cy, item, list, reassign } = await setup()
  const all = refs.map(([, ref = '']) => ref)
  const replies = await Promise.all(
    [bo, cy, bo, cy].map((to, turn) => {
      const mine = turn % 2 === 0 ? all : all.toReversed()
      return reassign(ada, { items: mine.map((ref) => item(ref, to)) })
    }),
  )
  const [winner, ...others] = replies.filter(({ status }) => status === 200)
  assert.deepEqual(others, [])
  const refusals = replies.filter((reply) => reply !== winner)
  for (const { status, body } of refusals) {
    assert.equal(`${status} ${body.code}`, '422 validation_failed')
    assert.equal(body.errors.length, refs.length)
  }
  assert.equal((await list(winner?.body.to_user_id)).count, refs.length)
})
