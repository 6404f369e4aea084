import { access } from '#contract/nouns/access'
import { audit } from '#contract/nouns/audit'
import { changes } from '#contract/nouns/changes/operations'
import { departures } from '#contract/nouns/departures/operations'
import { feed } from '#contract/nouns/events'
import { groups } from '#contract/nouns/groups/operations'
import { issues } from '#contract/nouns/issues/operations'
import { keys } from '#contract/nouns/keys/operations'
import { personal_keys } from '#contract/nouns/keys/personal-keys'
import { links } from '#contract/nouns/links'
import { passkeys } from '#contract/nouns/passkeys'
import { person_sign_in } from '#contract/nouns/person-sign-in'
import { personnel } from '#contract/nouns/personnel/operations'
import { projects } from '#contract/nouns/projects/operations'
import { acceptances } from '#contract/nouns/risks/acceptances'
import { risks } from '#contract/nouns/risks/operations'
import { search } from '#contract/nouns/search'
import { sessions } from '#contract/nouns/sessions'
import { sign_in } from '#contract/nouns/sign-in'
import { tasks } from '#contract/nouns/tasks/operations'
import { trend } from '#contract/nouns/trend'
import { workspace } from '#contract/nouns/workspace'

import type { Operation } from './operation.ts'

/** All operations of the API, by noun and verb. Start reading here. */
export const operations = {
  personnel,
  departures,
  groups,
  projects,
  risks,
  acceptances,
  issues,
  tasks,
  changes,
  trend,
  search,
  events: feed,
  keys,
  personal_keys,
  access,
  sessions,
  links,
  passkeys,
  sign_in,
  person_sign_in,
  audit,
  workspace,
}
export type Operations = typeof operations

/** The description of each OpenAPI tag. */
export const tagDescriptions = {
  personnel: 'The people on the roster. Work is assigned to their user ids.',
  departures: 'Planned departures. They are confidential and require `personnel.manage`.',
  groups: 'Personnel groups and their members.',
  projects: 'Projects, which contain risks, issues and tasks.',
  risks: 'Risks of projects, and the risk register across all projects.',
  acceptances: 'Acceptances of risks, present and past.',
  issues: 'Issues of projects, and the open issues across all projects.',
  tasks: 'Tasks of projects, which can treat a risk or help to solve an issue.',
  changes: 'What changed between two points in time.',
  trend: 'The figures of past days.',
  search: 'Search over people, groups, projects, risks, issues and tasks.',
  events: 'All changes of the workspace, in order.',
  keys: 'API keys and their scopes.',
  personal_keys: 'The API keys of the person who is signed in.',
  access: 'The roles of people and groups.',
  sessions: 'The browsers in which people are signed in.',
  links: 'One-time links with which people sign in.',
  passkeys: 'The passkeys of the person who is signed in.',
  sign_in: 'The identity provider of the workspace.',
  person_sign_in: 'The account and the passkeys with which a person signs in.',
  audit: 'The audit log of sign-in and access.',
  workspace: 'The workspace of one organisation: its name, time zone and policies.',
} as const satisfies Record<keyof Operations, string>

/** Every operation with its name, `noun.verb`. */
export function everyOperation(): { name: string; operation: Operation }[] {
  return Object.entries(operations).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({
      name: `${noun}.${verb}`,
      operation: operation as Operation,
    })),
  )
}

export * from '#contract/nouns/risks/acceptances'
export * from '#contract/nouns/access'
export * from '#contract/nouns/audit'
export * from '#contract/nouns/risks/closed-risks'
export * from '#contract/nouns/issues/closed-issues'
export * from '#contract/nouns/changes/entries'
export type { Figures, FiguresChange } from '#contract/nouns/changes/operations'
export * from './csv-columns.ts'
export * from '#contract/nouns/departures/departure'
export {
  idPattern,
  linkUrlLengthMax,
  linkUrlPattern,
  manyLines,
  oneLine,
  prefixOf,
  slugPattern,
  timeOrDayPattern,
} from './field-schemas.ts'
export * from '#contract/nouns/groups/fields'
export * from '#contract/nouns/groups/group'
export { type Field, type Fields, initialOf, type InputName, patchNames } from './fields.ts'
export { HistoryEntry } from './history.ts'
export { listFormats } from './list-operation.ts'
export { instead } from './method-alternatives.ts'
export * from '#contract/nouns/issues/fields'
export * from '#contract/nouns/issues/issue'
export * from '#contract/nouns/issues/operations'
export * from '#contract/nouns/keys/key'
export * from '#contract/nouns/keys/operations'
export * from './limits.ts'
export * from '#contract/nouns/links'
export * from '#contract/nouns/passkeys'
export * from '#contract/nouns/person-sign-in'
export * from '#contract/nouns/keys/personal-keys'
export * from './roles.ts'
export { type LoggedEvent, type StateNoun, stateNouns } from '#contract/nouns/events'
export * from '#contract/nouns/search'
export * from '#contract/nouns/trend'
export * from '#contract/nouns/sessions'
export * from '#contract/nouns/sign-in'
export * from '#contract/nouns/whoami'
export * from '#contract/nouns/issues/open-issues'
export * from './operation.ts'
export * from '#contract/nouns/personnel/changes'
export * from '#contract/nouns/personnel/fields'
export * from '#contract/nouns/personnel/person'
export * from '#contract/problems/problems'
export * from '#contract/nouns/projects/fields'
export * from '#contract/nouns/projects/project'
export {
  type PastFilter,
  pastFiltersOf,
  pointEdges,
  type PointParameter,
  pointsIn,
} from './points.ts'
export { problemsOf, takesIfMatch } from '#contract/problems/operation-problems'
export * from './registry.ts'
export { revision } from './revision.ts'
export * from '#contract/nouns/risks/register'
export * from '#contract/nouns/risks/fields'
export * from '#contract/nouns/risks/risk'
export * from '#contract/nouns/risks/scores'
export * from '#contract/nouns/risks/operations'
export * from './ranking.ts'
export * from './scale.ts'
export * from './scopes.ts'
export * from '#contract/nouns/tasks/fields'
export * from '#contract/nouns/tasks/operations'
export * from '#contract/nouns/tasks/task'
export * from '#contract/nouns/workspace'
export { type PersonName, type ProjectName } from './rollup.ts'
export { type ValueFilter, valueFiltersOf } from './unmatched.ts'
export { version } from './version.ts'
