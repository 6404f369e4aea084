import assert from 'node:assert/strict'

import {
  issueCloseReasons,
  openIssueStatuses,
  riskCategories,
  riskCloseReasons,
} from '@muster/contract'

import { randomFrom } from '#test/support/bulk'
import type { Client, Json } from '#test/support/client'

type Random = ReturnType<typeof randomFrom>

/** What random changes are about. */
export interface World {
  readonly client: Client
  readonly random: Random
  readonly people: string[]
  readonly projects: string[]
  /** Paths of items. An archived project moves its items. */
  readonly risks: string[]
  readonly issues: string[]
}

export const tags = ['flood', 'gates', 'Åska']

async function send(world: World, method: string, [path, body]: [string, object]): Promise<Json> {
  const { status, body: answer, text } = await world.client.send(method, path, { body })
  assert.ok(status < 300 || status === 404 || status === 409, `${method} ${path} ${text}`)
  return status < 300 ? answer : null
}

export async function newWorld(client: Client, seed: number): Promise<World> {
  const world = {
    client,
    random: randomFrom(seed),
    people: [] as string[],
    projects: [] as string[],
    risks: [] as string[],
    issues: [] as string[],
  }
  for (let n = 0; n < 6; n++) {
    const body = { name: `Person ${n}`, email: `p${n}@history.example` }
    world.people.push((await send(world, 'POST', ['/v1/personnel', body])).id)
  }
  for (let n = 0; n < 6; n++) await addProject(world)
  return world
}

let codes = 0

async function addProject(world: World): Promise<void> {
  codes += 1
  const body = { code: `H${codes}`, name: `Project ${codes}`, risk_appetite: codes % 3 ? null : 9 }
  world.projects.push((await send(world, 'POST', ['/v1/projects', body])).id)
}

const rating = ({ random }: World) => ({
  likelihood: 1 + random.below(5),
  impact: 1 + random.below(5),
})

const some = ({ random }: World) => tags.filter(() => random.below(3) === 0)
const person = ({ random, people }: World) => random.pick([null, ...people])

/** By name, so that each has its share. */
const changes: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  async newRisk(world) {
    const body = {
      title: `Risk ${world.random.below(1000)}`,
      ...rating(world),
      owner_user_id: person(world),
      category: world.random.pick(riskCategories),
      tags: some(world),
      target: world.random.pick([null, rating(world)]),
      metadata: { n: String(world.random.below(10)) },
      links: [{ title: 'Report', url: 'https://documents.example/report' }],
    }
    const here = `/v1/projects/${world.random.pick(world.projects)}/risks`
    const risk = await send(world, 'POST', [here, body])
    if (risk) world.risks.push(`${here}/${risk.id}`)
  },
  async newIssue(world) {
    const body = {
      title: `Issue ${world.random.below(1000)}`,
      severity: 1 + world.random.below(5),
      status: world.random.pick(openIssueStatuses),
      assignee_user_id: person(world),
      tags: some(world),
    }
    const here = `/v1/projects/${world.random.pick(world.projects)}/issues`
    const issue = await send(world, 'POST', [here, body])
    if (issue) world.issues.push(`${here}/${issue.id}`)
  },
  review: (world) =>
    send(world, 'POST', [
      `${world.random.pick(world.risks)}/review`,
      { note: 'Seen.', ...rating(world) },
    ]),
  editRisk: (world) => {
    const { random } = world
    const changed = random.pick([
      { owner_user_id: person(world) },
      { category: random.pick(riskCategories) },
      { tags: some(world) },
      { status: random.pick(['treating', 'monitoring']) },
      { metadata: { n: null, m: 'x' } },
    ])
    return send(world, 'PATCH', [random.pick(world.risks), changed])
  },
  editIssue: (world) => {
    const { random } = world
    const changed = random.pick([
      { assignee_user_id: person(world) },
      { severity: 1 + random.below(5) },
      { tags: some(world) },
      { status: random.pick(openIssueStatuses) },
    ])
    return send(world, 'PATCH', [random.pick(world.issues), changed])
  },
  closeRisk: (world) => {
    const body = { close_reason: world.random.pick(riskCloseReasons) }
    return send(world, 'POST', [`${world.random.pick(world.risks)}/close`, body])
  },
  occur: (world) => send(world, 'POST', [`${world.random.pick(world.risks)}/occur`, {}]),
  reopenRisk: (world) => send(world, 'POST', [`${world.random.pick(world.risks)}/reopen`, {}]),
  closeIssue: (world) => {
    const body = { close_reason: world.random.pick(issueCloseReasons) }
    return send(world, 'POST', [`${world.random.pick(world.issues)}/close`, body])
  },
  reopenIssue: (world) => send(world, 'POST', [`${world.random.pick(world.issues)}/reopen`, {}]),
}

/** Archives a project, whose live items move to another one. */
export async function archiveOne(world: World): Promise<void> {
  const { random, projects } = world
  const from = random.pick(projects)
  const to = random.pick(projects.filter((id) => id !== from))
  const body = { if_live_items: 'transfer', to_project_id: to }
  assert.ok(await send(world, 'POST', [`/v1/projects/${from}/archive`, body]))
  projects.splice(projects.indexOf(from), 1)
  const moved = (path: string) => path.replace(from, to)
  for (const paths of [world.risks, world.issues]) paths.splice(0, Infinity, ...paths.map(moved))
  await addProject(world)
}

const weights = ['newRisk', 'newIssue', 'review', 'review', 'editRisk', 'editIssue']

/** One random change. Some are refused, and write nothing. */
export async function changeOne(world: World): Promise<void> {
  const name = world.random.pick([...Object.keys(changes), ...weights])
  const needed = /Risk|review|occur/.test(name) ? world.risks : world.issues
  const isNew = name.startsWith('new') || needed.length === 0
  await changes[isNew && !name.startsWith('new') ? 'newRisk' : name]?.(world)
}
