import assert from 'node:assert/strict'

import {
  issueCloseReasons,
  liveRiskStatuses,
  openIssueStatuses,
  riskCategories,
  riskCloseReasons,
} from '@muster/contract'

import { type ModelRun, advanceClock } from '#test/model/projects/model-run'
import { randomFrom } from '#test/support/bulk'
import type { Json } from '#test/support/client'
import { sweepDue } from '#test/support/sweep'

export const words = ['uplift', 'Åska', 'Überlauf', 'strike']

type Random = ReturnType<typeof randomFrom>
type Job = () => Promise<unknown>

/** Runs all jobs, eight at a time. */
async function runConcurrently(jobs: readonly Job[]): Promise<void> {
  const waiting = [...jobs]
  const work = async () => {
    for (let job = waiting.pop(); job; job = waiting.pop()) await job()
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

const daysOf = 86_400

/**
 * Creates a few hundred risks and issues in many projects, through eight concurrent callers. The
 * clock stands still during a batch and jumps between batches, so that many items share an instant
 * and some become overdue.
 */
export async function createRegister(run: ModelRun, seed: number): Promise<void> {
  const random = randomFrom(seed)
  const post = async (path: string, body: object): Promise<Json> => {
    const reply = await run.client.post(path, body)
    assert.ok(reply.status < 300, `${path} ${reply.text}`)
    return reply.body
  }
  const people: (string | null)[] = [null]
  const person = (_: unknown, n: number) => async () =>
    people.push((await post('/v1/personnel', { name: `Person ${n}` })).id)
  await runConcurrently(Array.from({ length: 60 }, person))
  const projects: string[] = []
  const project = (_: unknown, n: number) => async () => {
    const body = { code: `P${n}`, name: `Project ${n}`, risk_appetite: n % 3 === 0 ? 9 : null }
    projects.push((await post('/v1/projects', body)).id)
  }
  await runConcurrently(Array.from({ length: 57 }, project))
  const [many, one] = [projects.slice(0, 12), projects.slice(12)]
  const today = () => run.fixture.clock.now.getTime()
  const day = (from: number, to: number) =>
    new Date(today() + (from + random.below(to - from)) * daysOf * 1000).toISOString().slice(0, 10)
  const context = { random, people, day, post }

  await runConcurrently(one.flatMap((id) => [newRisk(context, id), newIssue(context, id)]))
  for (let month = 0; month < 3; month++) {
    advanceClock(run, 30 * daysOf)
    const here = () => random.pick(many)
    await runConcurrently([
      ...Array.from({ length: 75 }, () => newRisk(context, here())),
      ...Array.from({ length: 45 }, () => newIssue(context, here())),
      ...Array.from({ length: 80 }, () => change(run, context, here())),
    ])
  }
  await archiveTwo(run, many)
  await acceptSome(context, (await run.client.get('/v1/risks?flag=above_appetite')).body.data)
  advanceClock(run, 12 * daysOf)
  assert.deepEqual((await sweepDue(run.fixture.sweeper)).failures, [])
}

interface Context {
  readonly random: Random
  readonly people: readonly (string | null)[]
  readonly day: (from: number, to: number) => string
  readonly post: (path: string, body: object) => Promise<Json>
}

function newRisk({ random, people, day, post }: Context, projectId: string): Job {
  const rating = () => ({ likelihood: 1 + random.below(5), impact: 1 + random.below(5) })
  const body = {
    title: `${random.pick(words)} ${random.below(100)}`,
    ...rating(),
    category: random.pick(riskCategories),
    status: random.pick(liveRiskStatuses),
    response: random.pick(['undecided', 'avoid', 'reduce', 'transfer']),
    owner_user_id: random.pick(people),
    review_on: random.pick([null, day(-5, 90)]),
    inherent: random.pick([null, rating()]),
    target: random.pick([null, rating()]),
    tags: random.pick([[], ['flood'], ['Åska', 'flood', 'gates']]),
  }
  return () => post(`/v1/projects/${projectId}/risks`, body)
}

function newIssue({ random, people, day, post }: Context, projectId: string): Job {
  const body = {
    title: `${random.pick(words)} ${random.below(100)}`,
    severity: 1 + random.below(5),
    status: random.pick(openIssueStatuses),
    assignee_user_id: random.pick(people),
    due_on: random.pick([null, day(-5, 90)]),
    tags: random.pick([[], ['gates'], ['Åska', 'flood']]),
  }
  return () => post(`/v1/projects/${projectId}/issues`, body)
}

/** A random change to an existing item. */
function change(
  { client }: ModelRun,
  { random, people, day, post }: Context,
  projectId: string,
): Job {
  const path = `/v1/projects/${projectId}`
  const send = async (method: string, at: string, body: object) => {
    const reply = await client.send(method, at, { body })
    assert.ok(reply.status < 300 || reply.status === 409, `${at} ${reply.text}`)
  }
  const close_reason = random.pick(riskCloseReasons)
  const ofRisk: [string, string, object][] = [
    ['PATCH', '', { owner_user_id: random.pick(people), tags: ['gates'], status: 'monitoring' }],
    ['POST', '/review', { note: 'Seen.', likelihood: 1 + random.below(5), review_on: day(1, 40) }],
    ['POST', '/close', { close_reason }],
    ['POST', '/reopen', {}],
    ['POST', '/occur', {}],
  ]
  const ofIssue: [string, string, object][] = [
    ['PATCH', '', { severity: 1 + random.below(5), assignee_user_id: random.pick(people) }],
    ['POST', '/close', { close_reason: random.pick(issueCloseReasons) }],
    ['POST', '/reopen', {}],
  ]
  const [place, isRisk] = [random.below(1000), random.below(3) > 0]
  const accepted_by_user_id = people.find((id) => id !== null)
  const acceptance = { accepted_by_user_id, expires_on: day(0, 30), rationale: 'Cheap.' }
  const isAccepted = random.below(6) === 0
  const [method, verb, body] = isRisk ? random.pick(ofRisk) : random.pick(ofIssue)
  return async () => {
    const noun = isRisk ? 'risks' : 'issues'
    const { data } = (await client.get(`${path}/${noun}?limit=1000`)).body
    const item = data[place % data.length]
    if (item === undefined) return
    if (isRisk && isAccepted) await send('POST', `${path}/risks/${item.id}/accept`, acceptance)
    else await send(method, `${path}/${noun}/${item.id}${verb}`, body)
    if (place % 20 === 0) await post(`${path}/tasks`, { title: 'Flush' })
  }
}

/** Accepts four risks above the appetite. Two acceptances expire before the last sweep. */
async function acceptSome({ people, day, post }: Context, above: readonly Json[]): Promise<void> {
  const accepted_by_user_id = people.find((id) => id !== null)
  for (const [index, { project_id, id }] of above.slice(0, 4).entries()) {
    const expires_on = index % 2 === 0 ? day(5, 6) : day(90, 91)
    const body = { accepted_by_user_id, expires_on, rationale: 'Cheap.' }
    await post(`/v1/projects/${project_id}/risks/${id}/accept`, body)
  }
}

/** Archives two projects: one closes its items, one transfers them. */
async function archiveTwo({ client }: ModelRun, [first, second, third]: readonly string[]) {
  const close = { if_live_items: 'close' }
  const transfer = { if_live_items: 'transfer', to_project_id: third }
  const replies = await Promise.all([
    client.post(`/v1/projects/${first}/archive`, close),
    client.post(`/v1/projects/${second}/archive`, transfer),
  ])
  for (const { status, text } of replies) assert.equal(status, 200, text)
}
