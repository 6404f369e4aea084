import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bindKey } from '#test/auth/views/bound-keys'
import { randomFrom } from '#test/support/bulk'
import type { Client, Json } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { entriesIn, numberOf, patched, sent } from './changes-history.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const { below, pick } = randomFrom(seed)
const rating = () => 1 + below(5)

const projects: Json[] = []
const addProject = async () => {
  const body = { code: `P${projects.length}`, name: 'Project', risk_appetite: rating() * 4 }
  const added = await sent(manager, '/v1/projects', body)
  projects.push(added)
  return added
}
/** The first two stay, and the bound key sees one of them and the third. */
for (let count = 0; count < 3; count++) await addProject()
const people: (string | null)[] = [null]
for (const name of ['Ada', 'Bo']) {
  people.push((await sent(manager, '/v1/personnel', { name })).user_id)
}
const shownIds: string[] = [projects[0].id, projects[2].id]
const { client: bound } = await bindKey(manager, shownIds)

interface Item {
  readonly noun: 'risks' | 'issues'
  readonly id: string
  project: Json
}
const items: Item[] = []
let current: Json[] = [...projects]

const pathOf = ({ noun, id, project }: Item) => `/v1/projects/${project.id}/${noun}/${id}`

async function add(noun: Item['noun']): Promise<void> {
  const project = pick(current)
  const body =
    noun === 'risks'
      ? { title: 'Risk', likelihood: rating(), impact: rating(), owner_user_id: pick(people) }
      : { title: 'Issue', severity: rating(), assignee_user_id: pick(people) }
  const { id } = await sent(manager, `/v1/projects/${project.id}/${noun}`, body)
  items.push({ noun, id, project })
}

/** A change may be refused, such as a review of a closed risk. */
const attempt = (method: string, path: string, body: object) => manager.send(method, path, { body })

const changesOf: Readonly<Record<Item['noun'], readonly ((item: Item) => Promise<unknown>)[]>> = {
  risks: [
    (item) => attempt('POST', `${pathOf(item)}/review`, { ...ratings(), note: 'Seen.' }),
    (item) => attempt('POST', `${pathOf(item)}/review`, { ...ratings(), note: 'Seen.' }),
    (item) => attempt('POST', `${pathOf(item)}/occur`, {}),
    (item) => attempt('POST', `${pathOf(item)}/close`, { close_reason: 'treated' }),
    (item) => attempt('POST', `${pathOf(item)}/reopen`, {}),
    (item) => attempt('PATCH', pathOf(item), { owner_user_id: pick(people) }),
    (item) => attempt('PATCH', pathOf(item), { review_on: pick([null, '2020-01-01']) }),
    (item) =>
      attempt('POST', `/v1/projects/${item.project.id}/tasks`, { title: 'T', risk_id: item.id }),
  ],
  issues: [
    (item) => attempt('POST', `${pathOf(item)}/close`, { close_reason: 'resolved' }),
    (item) => attempt('POST', `${pathOf(item)}/reopen`, {}),
    (item) => attempt('PATCH', pathOf(item), { severity: rating() }),
    (item) => attempt('PATCH', pathOf(item), { assignee_user_id: pick(people) }),
    (item) => attempt('PATCH', pathOf(item), { due_on: pick([null, '2020-01-01']) }),
  ],
}
const ratings = () => ({ likelihood: rating(), impact: rating() })

/** Archives a project and moves its live items to another one. */
async function move(): Promise<void> {
  const from = pick(current.slice(2))
  if (from === undefined) return
  const to = pick(current.filter(({ id }) => id !== from.id))
  const transfer = { if_live_items: 'transfer', to_project_id: to.id }
  await sent(manager, `/v1/projects/${from.id}/archive`, transfer)
  const { data } = await sent(manager, `/v1/risks?project_id=${to.id}`)
  const { data: open } = await sent(manager, `/v1/issues?project_id=${to.id}`)
  const moved = new Set([...data, ...open].map(({ id }: Json) => id))
  for (const item of items) if (moved.has(item.id)) item.project = to
  current = current.filter(({ id }) => id !== from.id)
  current.push(await addProject())
}

async function change(): Promise<void> {
  const chance = below(100)
  if (items.length < 4 || chance < 15) return add(pick(['risks', 'issues']))
  if (chance < 20) return move()
  if (chance < 25) {
    const health = pick(['on_track', 'at_risk', 'off_track'])
    await patched(manager, `/v1/projects/${pick(current).id}`, { health })
    return
  }
  const item = pick(items)
  await pick(changesOf[item.noun])(item)
}

/** What was live when this number was the last one. */
interface Recorded {
  readonly number: number
  readonly risks: readonly Json[]
  readonly issues: readonly Json[]
}

async function record(): Promise<Recorded> {
  const { data: risks } = await sent(manager, '/v1/risks')
  const { data: issues } = await sent(manager, '/v1/issues')
  return { number: await numberOf(host, home.uuid), risks, issues }
}

const recorded: Recorded[] = [await record()]
for (let count = 0; count < size(120, 1500); count++) {
  await change()
  recorded.push(await record())
}

const riskOf = ({ id, project_id, likelihood, impact, score, owner_user_id, flags }: Json) => ({
  id,
  project_id,
  likelihood,
  impact,
  score,
  owner_user_id,
  flags,
})
const issueOf = ({ id, project_id, severity, assignee_user_id, flags }: Json) => ({
  id,
  project_id,
  severity,
  assignee_user_id,
  flags,
})

/** What is live after the entries were applied to what was live before, in the order of ranks. */
function applied(
  before: readonly Json[],
  entries: readonly Json[],
  valuesOf: (item: Json) => Json,
) {
  const live = new Map(before.map((item) => [item.id, valuesOf(item)]))
  for (const { id, after } of entries) {
    const isLive = after !== null && !['closed', 'occurred'].includes(after.status)
    if (isLive) live.set(id, valuesOf({ ...after, id }))
    else live.delete(id)
  }
  return [...live.values()].toSorted((a, b) => a.id.localeCompare(b.id))
}

const byRank = (a: Json, b: Json) =>
  b.score - a.score || b.impact - a.impact || a.id.localeCompare(b.id)
const byId = (a: Json, b: Json) => a.id.localeCompare(b.id)

interface Reader {
  readonly client: Client
  /** Whether the caller sees an item that is now in one project and was in another. */
  readonly sees: (item: Json) => boolean
}

function checkPair(
  a: Recorded,
  b: Recorded,
  { answer, sees }: { answer: Json } & Pick<Reader, 'sees'>,
) {
  const pair = `since ${a.number} until ${b.number}`
  assert.equal(answer.is_truncated, false)
  const seen = (list: readonly Json[]) => list.filter(sees)
  const [was, is] = [seen(a.risks), seen(b.risks)]
  const risks = entriesIn(answer.risks)
  const expected = is.map(riskOf).toSorted(byId)
  assert.deepEqual(applied(was, risks, riskOf), expected, `risks ${pair}`)
  const issues = entriesIn(answer.issues)
  const open = seen(b.issues).map(issueOf).toSorted(byId)
  assert.deepEqual(applied(seen(a.issues), issues, issueOf), open, `issues ${pair}`)
  const ranksOf = (list: readonly Json[]) =>
    new Map(list.toSorted(byRank).map(({ id }, index) => [id, index + 1]))
  const [ranksBefore, ranksAfter] = [ranksOf(was), ranksOf(is)]
  for (const { id, before, after } of risks) {
    if (before) assert.equal(before.rank, ranksBefore.get(id) ?? null, `${id} ${pair}`)
    if (after) assert.equal(after.rank, ranksAfter.get(id) ?? null, `${id} ${pair}`)
  }
  const ids = [...risks, ...issues].map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length, 'each item is in one group')
  const sum = (list: readonly Json[]) => list.reduce((total, { score }) => total + score, 0)
  const { before, after } = answer.figures
  assert.deepEqual([before.live, before.exposure], [was.length, sum(was)], pair)
  assert.deepEqual([after.live, after.exposure], [is.length, sum(is)], pair)
  assert.deepEqual([before.issues_open, after.issues_open], [seen(a.issues).length, open.length])
}

/** The project of each item at the end of the history. */
const projectNow = new Map(items.map(({ id, project }) => [id, project.id]))

for (const { data } of [
  await sent(manager, '/v1/issues'),
  await sent(manager, '/v1/issues/closed'),
]) {
  for (const { id, project_id } of data) projectNow.set(id, project_id)
}

const readers: Readonly<Record<string, Reader>> = {
  'a caller who sees all': { client: manager, sees: () => true },
  'a caller bound to projects': {
    client: bound,
    sees: ({ id, project_id }) =>
      shownIds.includes(project_id) && shownIds.includes(projectNow.get(id) ?? ''),
  },
}

for (const [name, { client, sees }] of Object.entries(readers)) {
  test(`what is live at the end follows from the beginning and the answer, for ${name}`, async () => {
    for (let count = 0; count < size(25, 200); count++) {
      const [one, other] = [pick(recorded), pick(recorded)]
      const [a, b] = one.number <= other.number ? [one, other] : [other, one]
      const answer = await sent(client, `/v1/changes?since=${a.number}&until=${b.number}`)
      checkPair(a, b, { answer, sees })
    }
  })
}

test('the groups of the history are not trivial', async () => {
  const { risks, issues } = await sent(manager, `/v1/changes?since=0`)
  const found = new Set([...entriesIn(risks), ...entriesIn(issues)].map(({ group }) => group))
  assert.ok(found.size >= 4, [...found].join())
})
