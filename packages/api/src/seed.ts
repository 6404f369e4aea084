import { type Scope, scopes } from '@muster/contract'

import { administrator } from '#domain/caller'
import { addGroup } from '#domain/groups'
import { addIssue, closeIssue } from '#domain/issues'
import { createKey, listKeys, revokeKey } from '#domain/keys'
import { addPerson } from '#domain/personnel'
import { addProject } from '#domain/projects'
import { addRisk, closeRisk, type NewRisk } from '#domain/risks'
import { score } from '#domain/score'
import { foundWorkspace } from '#domain/workspaces'
import { Database } from '#storage/database'
import { createPool } from '#storage/pool'

import { groups } from './story/groups.ts'
import { issues } from './story/issues.ts'
import { people } from './story/people.ts'
import { projects } from './story/projects.ts'
import { risks, type StoryRisk } from './story/risks.ts'

export const storyWorkspace = 'Northwater'

/** The ids that the story's own names were given. */
type Ids = Map<string, string>

/**
 * Tells one story, the same in development, in tests and in the docs: Northwater, its forty people
 * and eight projects. Everything goes through the domain, so it has numbers, events and a history
 * like anything else. A workspace that is there already is left as it is.
 */
export async function seed(database: Database): Promise<{ workspaceId: string; isNew: boolean }> {
  const { id: workspaceId, isNew } = await foundWorkspace(database, storyWorkspace)
  if (!isNew) return { workspaceId, isNew }
  const caller = administrator(database, workspaceId)
  const ids: Ids = new Map()
  for (const { key, manager, ...person } of people) {
    const manager_user_id = manager === undefined ? null : idOf(ids, manager)
    ids.set(key, (await addPerson(caller, { ...person, manager_user_id })).id)
  }
  for (const { members, leads, ...group } of groups) {
    const member_user_ids = members.map((key) => idOf(ids, key))
    const lead_user_ids = leads.map((key) => idOf(ids, key))
    await addGroup(caller, { ...group, member_user_ids, lead_user_ids })
  }
  for (const { owner, ...project } of projects) {
    const added = await addProject(caller, { ...project, owner_user_id: idOf(ids, owner) })
    ids.set(project.code, added.id)
  }
  for (const risk of risks) {
    const { id } = await addRisk(caller, idOf(ids, risk.project), newRisk(risk, ids))
    if (risk.close) await closeRisk(caller, id, risk.close)
  }
  for (const { project, assignee, close, tags = [], ...issue } of issues) {
    const assignee_user_id = assignee === undefined ? null : idOf(ids, assignee)
    const wish = { ...issue, assignee_user_id, tags: [...tags] }
    const { id } = await addIssue(caller, idOf(ids, project), wish)
    if (close) await closeIssue(caller, id, close)
  }
  return { workspaceId, isNew }
}

export interface DemoKeys {
  readonly manager: string
  readonly reader: string
  readonly nobody: string
}

/** Three keys for a day: one that may do everything, one that may read, and one without scopes. */
export async function makeDemoKeys(database: Database, workspaceId: string): Promise<DemoKeys> {
  const caller = administrator(database, workspaceId)
  const earlier = (await listKeys(caller)).filter(
    ({ name, status }) => name.startsWith('Demo ') && status !== 'revoked',
  )
  for (const { id } of earlier) await revokeKey(caller, id)
  const make = async (name: string, held: Scope[]) =>
    (await createKey(caller, { name: `Demo ${name}`, scopes: held, expiresInHours: 24 })).token
  return {
    manager: await make(
      'manager',
      scopes.filter((scope) => scope.endsWith('.manage')),
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

export { migrate } from '#storage/migrate'

function newRisk(risk: StoryRisk, ids: Ids): NewRisk {
  const { project: _, close: __, inherent, target, owner, tags = [], ...rest } = risk
  return {
    ...rest,
    inherent: inherent ? rated(...inherent) : null,
    target: target ? { ...rated(target.likelihood, target.impact), due_on: target.due_on } : null,
    owner_user_id: owner === undefined ? null : idOf(ids, owner),
    tags: [...tags],
  }
}

const rated = (likelihood: number, impact: number) => ({
  likelihood,
  impact,
  score: score(likelihood, impact),
})

function idOf(ids: Ids, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The story speaks of ${name}, whom nobody has met.`)
  return id
}
