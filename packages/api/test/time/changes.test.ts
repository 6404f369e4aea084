import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bindKey } from '#test/auth/views/bound-keys'
import type { Json } from '#test/support/client'
import { startHost } from '#test/support/workspace'

import { beginOn, entriesIn, groupOf, patched, sent } from './changes-history.ts'

const host = await startHost()
const begin = () => beginOn(host)

const emptyFigures = {
  live: 0,
  exposure: 0,
  cells: [],
  above_appetite: 0,
  above_appetite_not_accepted: 0,
  reviews_overdue: 0,
  issues_open: 0,
  issues_overdue: 0,
}

test('puts each risk into the first group that applies', async () => {
  const { manager, dam, ada, bo, now, raise, since, review, close } = await begin()
  const risk = async (likelihood: number, more: object = {}) => raise(likelihood, 5, more)
  const [closed, occurred, rose, fell] = [
    await risk(1),
    await risk(1),
    await risk(1),
    await risk(4),
  ]
  const [handed, back, spike] = [
    await risk(2, { owner_user_id: ada }),
    await risk(2),
    await risk(1),
  ]
  const [accepted, due, edited, ended] = [
    await risk(2),
    await risk(2),
    await risk(2),
    await risk(2),
  ]
  const [treated, untouched] = [await risk(1), await risk(1)]
  await close(ended, 'treated')
  const start = await now()
  await close(closed, 'treated')
  await sent(manager, `${occurred.at}/occur`, {})
  await review(rose, 3, 5)
  await patched(manager, rose.at, { owner_user_id: ada })
  await review(fell, 1, 5)
  await patched(manager, handed.at, { owner_user_id: bo })
  await patched(manager, back.at, { owner_user_id: bo })
  await patched(manager, back.at, { owner_user_id: null })
  await review(spike, 5, 5)
  await review(spike, 1, 5)
  const acceptance = { accepted_by_user_id: ada, expires_on: '2999-01-01', rationale: 'Small.' }
  await sent(manager, `${accepted.at}/accept`, acceptance)
  await patched(manager, due.at, { review_on: '2020-01-01' })
  await patched(manager, edited.at, { title: 'Uplift' })
  await patched(manager, ended.at, { title: 'Uplift' })
  const entered = await risk(2)
  const flash = await risk(5)
  await sent(manager, `${flash.at}/occur`, { note: 'On Wednesday.' })
  const reopened = await risk(3)
  await close(reopened, 'treated')
  await sent(manager, `${reopened.at}/reopen`, {})
  const drains = { title: 'Flush the drains', risk_id: treated.id }
  const task = await sent(manager, `/v1/projects/${dam.id}/tasks`, drains)

  const { risks, figures } = await since(start)
  const expected = { closed, occurred, rose, fell, handed, back, spike, accepted, due, edited }
  const groups = Object.fromEntries(
    Object.entries({ ...expected, ended, entered, flash, reopened, treated, untouched }).map(
      ([name, { id }]) => [name, groupOf(risks, id)],
    ),
  )
  assert.deepEqual(groups, {
    closed: 'left',
    occurred: 'left',
    rose: 'rose',
    fell: 'fell',
    handed: 'handed_over',
    back: 'decided',
    spike: 'decided',
    accepted: 'decided',
    due: 'became_due',
    edited: 'edited',
    ended: 'edited',
    entered: 'entered',
    flash: 'left',
    reopened: 'entered',
    treated: 'edited',
    untouched: undefined,
  })
  const left = risks.left.find(({ id }: Json) => id === flash.id)
  assert.equal(left.before, null)
  assert.deepEqual([left.after.status, left.after.rank], ['occurred', null])
  assert.equal(left.issue_ids.length, 1)
  assert.deepEqual(
    left.steps.map(({ type, note }: Json) => [type, note]),
    [
      ['risk.created', null],
      ['risk.occurred', 'On Wednesday.'],
    ],
  )
  assert.equal(left.steps[0].actor.type, 'key')
  const [edit] = risks.edited.find(({ id }: Json) => id === treated.id).steps
  assert.deepEqual([edit.type, edit.task_id], ['task.created', task.id])
  assert.equal(figures.after.live - figures.before.live, 0)
})

test('a closed and reopened risk is decided, and an issue reopened', async () => {
  const { manager, now, raise, open, since, close } = await begin()
  const [risk, issue] = [await raise(3, 3), await open(3)]
  const start = await now()
  await close(risk, 'treated')
  await sent(manager, `${risk.at}/reopen`, {})
  await close(issue, 'resolved')
  await sent(manager, `${issue.at}/reopen`, {})
  const { risks, issues, figures } = await since(start)
  assert.equal(groupOf(risks, risk.id), 'decided')
  assert.equal(groupOf(issues, issue.id), 'reopened')
  assert.deepEqual([figures.issues_opened, figures.issues_closed], [1, 1])
})

test('puts each issue into the first group that applies', async () => {
  const { manager, ada, dam, now, open, since, close } = await begin()
  const [closed, worse, better, handed] = [
    await open(3),
    await open(1),
    await open(5),
    await open(2),
  ]
  const [blocked, due, edited, old] = [await open(3), await open(3), await open(3), await open(3)]
  await close(old, 'resolved')
  const start = await now()
  const opened = await open(4)
  const flash = await open(4)
  await close(flash, 'resolved')
  await close(closed, 'resolved')
  await sent(manager, `${old.at}/reopen`, {})
  await patched(manager, worse.at, { severity: 3 })
  await patched(manager, better.at, { severity: 3 })
  await patched(manager, handed.at, { assignee_user_id: ada })
  await patched(manager, blocked.at, { status: 'blocked' })
  await patched(manager, due.at, { due_on: '2020-01-01' })
  await patched(manager, edited.at, { title: 'Crane' })
  const imported = { title: 'Old', severity: 1, status: 'closed', close_reason: 'resolved' }
  const { id } = await sent(manager, `/v1/projects/${dam.id}/issues`, imported)
  const { issues, figures } = await since(start)
  const items = { opened, flash, closed, old, worse, better, handed, blocked, due, edited }
  const groups = Object.entries({ ...items, imported: { id } }).map(([name, item]) => [
    name,
    groupOf(issues, item.id),
  ])
  assert.deepEqual(Object.fromEntries(groups), {
    opened: 'opened',
    flash: 'closed',
    closed: 'closed',
    old: 'reopened',
    worse: 'worsened',
    better: 'eased',
    handed: 'handed_over',
    blocked: 'blocked',
    due: 'became_due',
    edited: 'edited',
    imported: 'edited',
  })
  assert.deepEqual([figures.before.issues_open, figures.after.issues_open], [7, 8])
  assert.deepEqual([figures.issues_opened, figures.issues_closed], [3, 2])
})

test('states figures at both points, by project', async () => {
  const { manager, dam, bridge, now, raise, since, review } = await begin()
  const risk = await raise(2, 5)
  await raise(5, 5)
  const start = await now()
  assert.deepEqual((await since(start)).figures.by_project, [])
  await review(risk, 4, 5)
  const task = await sent(manager, `/v1/projects/${bridge.id}/tasks`, { title: 'Flush' })
  await patched(manager, `/v1/projects/${bridge.id}/tasks/${task.id}`, { status: 'done' })
  await patched(manager, `/v1/projects/${bridge.id}`, { health: 'at_risk', health_note: 'Late.' })
  const { figures, projects } = await since(start)
  const cell = (likelihood: number, impact: number) => ({ likelihood, impact, count: 1 })
  const above = { above_appetite: 1, above_appetite_not_accepted: 1 }
  const before = { ...emptyFigures, ...above, live: 2, exposure: 35 }
  const after = { ...before, exposure: 45, above_appetite: 2, above_appetite_not_accepted: 2 }
  const figuresOfDam = {
    before: { ...before, cells: [cell(5, 5), cell(2, 5)] },
    after: { ...after, cells: [cell(5, 5), cell(4, 5)] },
    issues_opened: 0,
    issues_closed: 0,
  }
  const { by_project, ...total } = figures
  assert.deepEqual(total, { ...figuresOfDam, tasks_done: 1 })
  const nothing = { before: emptyFigures, after: emptyFigures, issues_opened: 0, issues_closed: 0 }
  assert.deepEqual(
    by_project.map(({ project, ...rest }: Json) => [project.id, rest]),
    [
      [dam.id, { ...figuresOfDam, tasks_done: 0 }],
      [bridge.id, { ...nothing, tasks_done: 1 }],
    ],
  )
  const [health] = projects.health
  assert.deepEqual(
    [health.id, health.before.health, health.after.health],
    [bridge.id, null, 'at_risk'],
  )
  assert.equal(health.after.health_note, 'Late.')
})

test('a moved item leaves one project and enters the other', async () => {
  const { manager, dam, bridge, now, raise, since } = await begin()
  const risk = await raise(3, 3)
  const start = await now()
  const transfer = { if_live_items: 'transfer', to_project_id: bridge.id }
  await sent(manager, `/v1/projects/${dam.id}/archive`, transfer)
  const groupIn = async (query: string, client = manager) =>
    groupOf((await since(start, query, client)).risks, risk.id)
  assert.equal(await groupIn(`&project_id=${dam.id}`), 'left')
  assert.equal(await groupIn(`&project_id=${bridge.id}`), 'entered')
  assert.equal(await groupIn(''), 'edited')
  assert.equal(await groupIn(`&project_id=${dam.id},${bridge.id}`), 'edited')
  const { client: atDam } = await bindKey(manager, [dam.id])
  const { client: atBridge } = await bindKey(manager, [bridge.id])
  assert.equal(await groupIn('', atDam), undefined)
  assert.equal(await groupIn('', atBridge), 'entered')
  const { figures } = await since(start, `&project_id=${dam.id}`)
  assert.deepEqual([figures.before.live, figures.after.live], [1, 0])
})

test('filters by the person in charge at one of the points', async () => {
  const { manager, ada, bo, now, raise, open, since } = await begin()
  const risk = await raise(3, 3, { owner_user_id: ada })
  const issue = await open(3)
  const start = await now()
  await patched(manager, risk.at, { owner_user_id: bo })
  await patched(manager, issue.at, { title: 'Crane' })
  const found = async (owner: string) => {
    const { risks, issues, figures } = await since(start, `&owner_user_id=${owner}`)
    const groups = [groupOf(risks, risk.id), groupOf(issues, issue.id)]
    return [...groups, figures.before.live, figures.after.live]
  }
  assert.deepEqual(await found(ada), ['handed_over', undefined, 1, 0])
  assert.deepEqual(await found(bo), ['handed_over', undefined, 0, 1])
  assert.deepEqual(await found('none'), [undefined, 'edited', 0, 0])
})

test('a caller bound to projects sees nothing of others', async () => {
  const { manager, dam, bridge, now, raise, since, review } = await begin()
  const own = await raise(2, 3)
  const { client: bound } = await bindKey(manager, [dam.id])
  const start = await now()
  await review(own, 3, 3)
  const end = await now()
  const alone = await since(start, `&until=${end}`, bound)
  const hidden = await raise(5, 5, { to: bridge })
  await review(hidden, 1, 1)
  await patched(manager, `/v1/projects/${bridge.id}`, { health: 'off_track' })
  const beside = await since(start, '', bound)
  assert.deepEqual({ ...beside, until: end }, alone)
  assert.equal(entriesIn(alone.risks)[0].after.rank, 1)
  const asked = await since(start, `&project_id=${bridge.id}`, bound)
  assert.deepEqual(entriesIn(asked.risks), [])
  assert.deepEqual(asked.figures.after, emptyFigures)
})
