import type { Collection, EventNoun, EventType, Quota, Scope } from '@muster/contract'

import { uuidOfOptional } from '#storage/values/id'

interface Noun {
  /** The prefix of its ids. */
  readonly prefix: string
  readonly table: string
  /** The collection whose sequence number a write to it moves. */
  readonly collection: Collection | null
  /** The quota that its rows count against. */
  readonly quota: Quota | null
  /** The project that its events belong to: its own id, or the one in `project_id`. */
  readonly project: 'own id' | 'project_id' | null
  /** The scope that shows its events. */
  readonly scope: Scope
}

/**
 * The registry of nouns, each after the nouns that it references. Row tables, counters, quotas,
 * the project of an event and the ids of an export derive from it. A noun of the contract's events
 * that is missing here does not compile.
 */
export const nouns = {
  person: {
    prefix: 'usr',
    table: 'people',
    collection: 'personnel',
    quota: 'people',
    project: null,
    scope: 'personnel.read',
  },
  group: {
    prefix: 'grp',
    table: 'groups',
    collection: 'groups',
    quota: 'groups',
    project: null,
    scope: 'personnel.read',
  },
  project: {
    prefix: 'prj',
    table: 'projects',
    collection: 'projects',
    quota: 'projects',
    project: 'own id',
    scope: 'projects.read',
  },
  risk: {
    prefix: 'rsk',
    table: 'risks',
    collection: 'risks',
    quota: 'live_risks',
    project: 'project_id',
    scope: 'projects.read',
  },
  issue: {
    prefix: 'iss',
    table: 'issues',
    collection: 'issues',
    quota: 'open_issues',
    project: 'project_id',
    scope: 'projects.read',
  },
  task: {
    prefix: 'tsk',
    table: 'tasks',
    collection: 'tasks',
    quota: 'open_tasks',
    project: 'project_id',
    scope: 'projects.read',
  },
  key: {
    prefix: 'key',
    table: 'api_keys',
    collection: 'keys',
    quota: 'keys',
    project: null,
    scope: 'keys.read',
  },
  access: {
    prefix: 'wsp',
    table: 'access_entries',
    collection: 'access',
    quota: null,
    project: null,
    scope: 'workspace.read',
  },
  sign_in: {
    prefix: 'wsp',
    table: 'sign_in_providers',
    collection: null,
    quota: null,
    project: null,
    scope: 'workspace.read',
  },
  workspace: {
    prefix: 'wsp',
    table: 'workspaces',
    collection: null,
    quota: null,
    project: null,
    scope: 'workspace.read',
  },
} as const satisfies Record<EventNoun, Noun>

export type NounName = keyof typeof nouns

/** The noun of an event type. */
export const nounOf = (type: EventType) =>
  // The cast holds because the registry has every noun of the event types.
  type.slice(0, type.indexOf('.')) as NounName

/** The UUID of the project that an item with this state is in; null outside projects. */
export function projectOfState(
  noun: NounName,
  state: { readonly id: string; readonly project_id?: string },
): string | null {
  const { project } = nouns[noun]
  if (project === null) return null
  return uuidOfOptional(project === 'own id' ? state.id : (state.project_id ?? null))
}

type Entry = (typeof nouns)[NounName]
export type RegisteredCollection = NonNullable<Entry['collection']>
export type RegisteredQuota = NonNullable<Entry['quota']>

const all = Object.values(nouns)

/** The collections, each with a sequence number of its own: `personnel_seq` and so on. */
export const collectionNames: readonly RegisteredCollection[] = all.flatMap(
  ({ collection }) => collection ?? [],
)

/** The quotas, each with a counter and a maximum: `people` and `people_max` and so on. */
export const quotaNames: readonly RegisteredQuota[] = all.flatMap(({ quota }) => quota ?? [])
