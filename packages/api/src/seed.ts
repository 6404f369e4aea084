import { type NewRisk, type Scope, scopes } from '@muster/contract'

import { reassignWork } from '#domain/assignments'
import { administrator } from '#domain/caller'
import { addGroup, archiveGroup } from '#domain/groups'
import { addIssue, closeIssue, reopenIssue } from '#domain/issues'
import { createKey, everyKey, revokeKey } from '#domain/keys'
import { changeMembers } from '#domain/members'
import {
  departPerson,
  erasePerson,
  rejoinPerson,
  resumePerson,
  suspendPerson,
} from '#domain/person-life'
import { addPerson, updatePerson } from '#domain/personnel'
import { archiveProject } from '#domain/project-archive'
import { addProject, updateProject } from '#domain/projects'
import { acceptRisk, closeRisk, occurRisk, reopenRisk, reviewRisk } from '#domain/risk-life'
import { addRisk } from '#domain/risks'
import { addTask, updateTask } from '#domain/tasks'
import { foundWorkspace } from '#domain/workspaces'
import { Database } from '#storage/database'
import { createPool } from '#storage/pool'

import { groups } from './story/groups.ts'
import { issues } from './story/issues.ts'
import { type PeopleTurn, peopleTurns } from './story/people-turns.ts'
import { people } from './story/people.ts'
import { projects } from './story/projects.ts'
import { risks, type StoryRisk } from './story/risks.ts'
import { type StoryTask, tasks } from './story/tasks.ts'
import { type StoryTurn, turns } from './story/turns.ts'

export const storyWorkspace = 'Northwater'

interface Telling {
  readonly caller: ReturnType<typeof administrator>
  /**
   * The ids that the story's own names were given: keys of people, names of groups, codes and
   * references.
   */
  readonly ids: Map<string, string>
}

/**
 * Tells one story, the same in development, in tests and in the docs: Northwater, its forty people,
 * those who left, and its eight projects. Everything goes through the domain, so it has numbers,
 * events and a history like anything else. A workspace that is there already is left as it is.
 */
export async function seed(database: Database): Promise<{ workspaceId: string; isNew: boolean }> {
  const { id: workspaceId, isNew } = await foundWorkspace(database, storyWorkspace)
  if (!isNew) return { workspaceId, isNew }
  const telling = { caller: administrator(database, workspaceId), ids: new Map() }
  await gatherPeople(telling)
  await openProjects(telling)
  await enterRisks(telling)
  await openIssues(telling)
  for (const turn of turns) await tellTurn(telling, turn)
  for (const task of tasks) await giveTask(telling, task)
  await archiveProjects(telling)
  for (const turn of peopleTurns) await tellPeopleTurn(telling, turn)
  return { workspaceId, isNew }
}

async function gatherPeople({ caller, ids }: Telling): Promise<void> {
  for (const { key, manager, ...person } of people) {
    const manager_user_id = manager === undefined ? null : idOf(ids, manager)
    ids.set(key, (await addPerson(caller, { ...person, manager_user_id })).id)
  }
  for (const { members, leads, ...group } of groups) {
    const member_user_ids = members.map((key) => idOf(ids, key))
    const lead_user_ids = leads.map((key) => idOf(ids, key))
    const { id } = await addGroup(caller, { ...group, member_user_ids, lead_user_ids })
    ids.set(group.name, id)
  }
}

async function openProjects({ caller, ids }: Telling): Promise<void> {
  for (const { owner, merged_into: _, ...project } of projects) {
    const added = await addProject(caller, { ...project, owner_user_id: idOf(ids, owner) })
    ids.set(project.code, added.id)
  }
}

async function enterRisks({ caller, ids }: Telling): Promise<void> {
  for (const risk of risks) {
    const projectId = idOf(ids, risk.project)
    const { id, ref } = await addRisk(caller, projectId, newRisk(risk, ids))
    ids.set(ref, id)
    if (risk.close) await closeRisk(caller, { projectId, id }, closing(risk.close))
  }
}

async function openIssues({ caller, ids }: Telling): Promise<void> {
  for (const { project, assignee, close, tags = [], ...issue } of issues) {
    const assignee_user_id = assignee === undefined ? null : idOf(ids, assignee)
    const projectId = idOf(ids, project)
    const wish = { ...issue, assignee_user_id, tags: [...tags] }
    const { id, ref } = await addIssue(caller, projectId, wish)
    ids.set(ref, id)
    if (close) await closeIssue(caller, { projectId, id }, closing(close))
  }
}

async function tellTurn({ caller, ids }: Telling, turn: StoryTurn): Promise<void> {
  if ('project' in turn) {
    const { project, health, because } = turn
    await updateProject(caller, idOf(ids, project), { health, health_note: because })
  } else if ('issue' in turn) {
    const at = placeOf(ids, turn.issue)
    if ('closed' in turn) await closeIssue(caller, at, closing(turn.closed))
    else await reopenIssue(caller, at, { note: turn.reopened })
  } else await tellRiskTurn({ caller, ids }, turn)
}

async function tellRiskTurn(
  { caller, ids }: Telling,
  turn: Extract<StoryTurn, { risk: string }>,
): Promise<void> {
  const at = placeOf(ids, turn.risk)
  if ('reviewed' in turn) await reviewRisk(caller, at, turn.reviewed)
  else if ('closed' in turn) await closeRisk(caller, at, closing(turn.closed))
  else if ('reopened' in turn) await reopenRisk(caller, at, { note: turn.reopened })
  else if ('occurred' in turn) {
    const { issue } = await occurRisk(caller, at, { note: turn.occurred })
    ids.set(issue.ref, issue.id)
  } else {
    const { by, for_days, rationale } = turn.accepted
    const expires_on = daysFromNow(for_days)
    await acceptRisk(caller, at, { accepted_by_user_id: idOf(ids, by), expires_on, rationale })
  }
}

/** What is over was to do before. */
async function giveTask({ caller, ids }: Telling, task: StoryTask): Promise<void> {
  const { project, assignee, about = null, status, ...rest } = task
  const projectId = idOf(ids, project)
  const isOver = status === 'done' || status === 'cancelled'
  const { id } = await addTask(caller, projectId, {
    ...rest,
    status: isOver ? 'todo' : status,
    assignee_user_id: assignee === undefined ? null : idOf(ids, assignee),
    risk_id: about?.includes('-R') ? idOf(ids, about) : null,
    issue_id: about?.includes('-I') ? idOf(ids, about) : null,
  })
  if (isOver) await updateTask(caller, { projectId, id }, { status })
}

async function archiveProjects({ caller, ids }: Telling): Promise<void> {
  for (const { code, merged_into: heir } of projects) {
    if (heir === undefined) continue
    const to_project_id = idOf(ids, heir)
    await archiveProject(caller, idOf(ids, code), { if_live_items: 'transfer', to_project_id })
  }
}

async function tellPeopleTurn({ caller, ids }: Telling, turn: PeopleTurn): Promise<void> {
  if ('group' in turn) {
    const id = idOf(ids, turn.group)
    if ('archived' in turn) await archiveGroup(caller, id)
    else await changeMembers(caller, id, { add: turn.joined.map((key) => idOf(ids, key)) })
  } else await tellPersonTurn({ caller, ids }, turn)
}

async function tellPersonTurn(
  { caller, ids }: Telling,
  turn: Extract<PeopleTurn, { person: string }>,
): Promise<void> {
  const id = idOf(ids, turn.person)
  const because = (status_reason: string) => ({ status_reason })
  if ('suspended' in turn) await suspendPerson(caller, id, because(turn.suspended))
  else if ('resumed' in turn) await resumePerson(caller, id, because(turn.resumed))
  else if ('departed' in turn) await departPerson(caller, id, because(turn.departed))
  else if ('rejoined' in turn) await rejoinPerson(caller, id, because(turn.rejoined))
  else if ('erased' in turn) await erasePerson(caller, id, { confirm: id })
  else if ('relieved_by' in turn) {
    await reassignWork(caller, id, { to_user_id: idOf(ids, turn.relieved_by) })
  } else {
    const { title, manager } = turn.promoted
    await updatePerson(caller, id, { title, manager_user_id: idOf(ids, manager) })
  }
}

const closing = <R>({ reason, note }: { reason: R; note: string }) => ({
  close_reason: reason,
  close_note: note,
})

/** No zone is further ahead than the days that the story counts. */
const daysFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export interface DemoKeys {
  readonly manager: string
  readonly reader: string
  readonly nobody: string
}

/**
 * Three keys: one that may do everything, one that may read, and one without scopes. The first has
 * no end, since the keys that it makes cannot outlive it. The next call revokes all three.
 */
export async function makeDemoKeys(database: Database, workspaceId: string): Promise<DemoKeys> {
  const caller = administrator(database, workspaceId)
  const earlier = (await everyKey(caller)).filter(
    ({ name, status }) => name.startsWith('Demo ') && status !== 'revoked',
  )
  for (const { id } of earlier) await revokeKey(caller, id)
  const make = async (name: string, held: Scope[], expiresInHours: number | null = 24) =>
    (await createKey(caller, { name: `Demo ${name}`, scopes: held, expiresInHours })).token
  return {
    manager: await make(
      'manager',
      scopes.filter((scope) => scope.endsWith('.manage')),
      null,
    ),
    reader: await make(
      'reader',
      scopes.filter((scope) => scope.endsWith('.read')),
    ),
    nobody: await make('nobody', []),
  }
}

/** The database as its owner. */
export const openOwner = (url: string) =>
  new Database(createPool({ url, role: 'muster_owner', max: 2 }))

export { foundWorkspace } from '#domain/workspaces'
export { migrate } from '#storage/migrate'

function newRisk(risk: StoryRisk, ids: Telling['ids']): NewRisk {
  const { project: _, close: __, inherent, target, owner, tags = [], ...rest } = risk
  return {
    ...rest,
    inherent: inherent ? { likelihood: inherent[0], impact: inherent[1] } : null,
    target: target ?? null,
    owner_user_id: owner === undefined ? null : idOf(ids, owner),
    tags: [...tags],
  }
}

/** A reference begins with the code of its project. */
function placeOf(ids: Telling['ids'], ref: string) {
  const [code = ''] = ref.split('-')
  return { projectId: idOf(ids, code), id: idOf(ids, ref) }
}

function idOf(ids: Telling['ids'], name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The story speaks of ${name}, whom nobody has met.`)
  return id
}
