import type { Scope } from '#contract/scopes'

/** The prefixes of ids, each with what it identifies. */
export const prefixes = {
  usr: 'a person',
  grp: 'a group',
  prj: 'a project',
  rsk: 'a risk',
  iss: 'an issue',
  tsk: 'a task',
  key: 'an API key',
  ses: 'a session',
  psk: 'a passkey',
  aud: 'an entry of the audit log',
  wsp: 'a workspace',
  evt: 'an event',
  req: 'a request',
} as const

export type Prefix = keyof typeof prefixes

/**
 * The collections, each with its letter in ETags. Each collection has its own sequence number per
 * workspace, so a write to the roster does not invalidate a cached page of the register.
 */
export const collections = {
  personnel: 'p',
  groups: 'g',
  projects: 'j',
  risks: 'r',
  issues: 'i',
  tasks: 't',
  keys: 'k',
  access: 'a',
} as const satisfies Record<string, string>

export type Collection = keyof typeof collections

interface QuotaDefinition {
  readonly max: number
  /** The example of `/v1/whoami`. */
  readonly used: number
  readonly description: string
  /** The scope that lists what is counted. */
  readonly scope: Scope
}

/** What a workspace can hold of each type of resource. */
export const quotas = {
  people: {
    max: 100_000,
    used: 40,
    description: 'People on the roster. Departed people do not count.',
    scope: 'personnel.read',
  },
  groups: {
    max: 10_000,
    used: 6,
    description: 'Active groups.',
    scope: 'personnel.read',
  },
  projects: {
    max: 20_000,
    used: 8,
    description: 'Projects that are not archived.',
    scope: 'projects.read',
  },
  live_risks: {
    max: 100_000,
    used: 63,
    description: 'Live risks.',
    scope: 'projects.read',
  },
  open_issues: {
    max: 200_000,
    used: 21,
    description: 'Open issues.',
    scope: 'projects.read',
  },
  open_tasks: {
    max: 200_000,
    used: 34,
    description: 'Open tasks.',
    scope: 'projects.read',
  },
  keys: {
    max: 500,
    used: 3,
    description: 'API keys that are not revoked.',
    scope: 'keys.read',
  },
} as const satisfies Record<string, QuotaDefinition>

/** A resource type with a quota per workspace. */
export type Quota = keyof typeof quotas

/**
 * Event types of the history and the event log, as noun and past-tense verb.
 */
export const events = {
  'person.created': 'A person was added to the roster.',
  'person.updated': 'A person was changed.',
  'person.suspended': 'A person was suspended.',
  'person.resumed': 'The suspension of a person was ended.',
  'person.departed': 'A person departed from the roster.',
  'person.rejoined': 'A departed person rejoined the roster.',
  'person.erased': 'The personal data of a departed person was erased.',
  'group.created': 'A personnel group was created.',
  'group.updated': 'A personnel group was changed.',
  'group.archived': 'A personnel group was archived.',
  'group.restored': 'A personnel group was restored.',
  'group.member_added': 'A person was added to a group.',
  'group.member_removed': 'A person was removed from a group.',
  'project.created': 'A project was created.',
  'project.updated': 'A project was changed.',
  'project.archived': 'A project was archived.',
  'project.restored': 'A project was restored.',
  'risk.created': 'A risk was created.',
  'risk.updated': 'A risk was changed.',
  'risk.reviewed': 'A risk was reviewed. Its rating may have changed.',
  'risk.accepted': 'A risk was accepted until a date.',
  'risk.occurred': 'A risk occurred and became an issue.',
  'risk.closed': 'A risk was closed.',
  'risk.reopened': 'A risk was reopened.',
  'risk.flagged': 'The service set or cleared a flag of a risk.',
  'issue.created': 'An issue was created.',
  'issue.updated': 'An issue was changed.',
  'issue.closed': 'An issue was closed.',
  'issue.reopened': 'An issue was reopened.',
  'issue.flagged': 'The service set or cleared a flag of an issue.',
  'task.created': 'A task was created.',
  'task.updated': 'A task was changed.',
  'key.created': 'An API key was created.',
  'key.updated': 'The name, the allowed networks or the projects of an API key were changed.',
  'key.rotated': 'An API key was replaced by a new one and expires soon.',
  'key.revoked': 'An API key was revoked.',
  'key.expiring': 'An API key expires within about a week.',
  'key.refused': 'An API key was refused: it is expired, revoked or not allowed from that network.',
  'access.updated': 'The roles of people and groups were changed.',
  'sign_in.updated': 'The settings of the identity provider were changed.',
  'sign_in.removed': 'The settings of the identity provider were removed.',
  'person.identity_confirmed': 'An administrator confirmed the email and external id of a person.',
  'workspace.updated': 'The workspace was changed.',
  'workspace.suspended': 'The workspace was suspended. All its keys are refused.',
  'workspace.resumed': 'The suspension of the workspace was ended.',
  'workspace.imported': 'The workspace was imported from an export. All earlier keys were revoked.',
} as const satisfies Record<string, string>

export type EventType = keyof typeof events

// The cast holds because the event types are the keys of this object.
export const eventTypes = Object.keys(events) as EventType[]

/** The nouns that have events: the part of an event type before the dot. */
export type EventNoun<T extends string = EventType> = T extends `${infer N}.${string}` ? N : never
