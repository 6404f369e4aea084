import { access } from '#contract/nouns/access'
import { audit } from '#contract/nouns/audit'
import { groups } from '#contract/nouns/groups'
import { issues } from '#contract/nouns/issues'
import { keys } from '#contract/nouns/keys'
import { links } from '#contract/nouns/links'
import { passkeys } from '#contract/nouns/passkeys'
import { person_sign_in } from '#contract/nouns/person-sign-in'
import { personal_keys } from '#contract/nouns/personal-keys'
import { personnel } from '#contract/nouns/personnel'
import { projects } from '#contract/nouns/projects'
import { risks } from '#contract/nouns/risks'
import { sessions } from '#contract/nouns/sessions'
import { sign_in } from '#contract/nouns/sign-in'
import { tasks } from '#contract/nouns/tasks'
import { workspace } from '#contract/nouns/workspace'

import type { Operation } from './operation.ts'

/** All operations of the API, by noun and verb. Start reading here. */
export const operations = {
  personnel,
  groups,
  projects,
  risks,
  issues,
  tasks,
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

/** Every operation with its name, `noun.verb`. */
export function everyOperation(): { name: string; operation: Operation }[] {
  return Object.entries(operations).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({
      name: `${noun}.${verb}`,
      operation: operation as Operation,
    })),
  )
}

export * from '#contract/nouns/access'
export * from '#contract/nouns/audit'
export * from '#contract/nouns/closed-items'
export * from './collections.ts'
export * from './events.ts'
export {
  idPattern,
  linkUrlLengthMax,
  linkUrlPattern,
  prefixes,
  type Prefix,
} from './field-schemas.ts'
export * from '#contract/nouns/group'
export { HistoryEntry } from './history.ts'
export { instead } from './method-alternatives.ts'
export * from '#contract/nouns/issue'
export * from '#contract/nouns/issues'
export * from '#contract/nouns/key'
export * from '#contract/nouns/keys'
export * from './limits.ts'
export * from '#contract/nouns/links'
export * from '#contract/nouns/passkeys'
export * from '#contract/nouns/person-sign-in'
export * from '#contract/nouns/personal-keys'
export * from './roles.ts'
export * from '#contract/nouns/sessions'
export * from '#contract/nouns/sign-in'
export * from '#contract/nouns/whoami'
export * from '#contract/nouns/open-issues'
export * from './operation.ts'
export * from '#contract/nouns/person-changes'
export * from '#contract/nouns/person'
export * from '#contract/problems/problems'
export * from '#contract/nouns/project'
export { problemsOf, takesIfMatch } from '#contract/problems/operation-problems'
export * from '#contract/nouns/register'
export * from '#contract/nouns/risk'
export * from '#contract/nouns/risks'
export * from './ranking.ts'
export * from './scale.ts'
export * from './scopes.ts'
export * from '#contract/nouns/tasks'
export * from '#contract/nouns/workspace'
export { type PersonName, type ProjectName } from './rollup.ts'
