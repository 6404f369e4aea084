import { groups } from './groups.ts'
import { issues } from './issues.ts'
import { keys } from './keys.ts'
import type { Operation } from './operation.ts'
import { personnel } from './personnel.ts'
import { projects } from './projects.ts'
import { risks } from './risks.ts'
import { tasks } from './tasks.ts'
import { workspace } from './workspace.ts'

/** The whole API. Read this first. */
export const operations = { personnel, groups, projects, risks, issues, tasks, keys, workspace }
export type Operations = typeof operations

/** Every operation with its name, `noun.verb`, for whatever must hold for all of them. */
export function everyOperation(): { name: string; operation: Operation }[] {
  return Object.entries(operations).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({
      name: `${noun}.${verb}`,
      operation: operation as Operation,
    })),
  )
}

export * from './collections.ts'
export * from './events.ts'
export { idPattern, prefixes, type Prefix } from './fields.ts'
export * from './group.ts'
export { HistoryEntry } from './history.ts'
export { instead } from './instead.ts'
export * from './issue.ts'
export * from './issues.ts'
export * from './key.ts'
export * from './keys.ts'
export * from './limits.ts'
export * from './open-issues.ts'
export * from './operation.ts'
export * from './person-changes.ts'
export * from './person.ts'
export * from './problems.ts'
export * from './project.ts'
export { problemsOf, takesIfMatch } from './refusals.ts'
export * from './register.ts'
export * from './risk.ts'
export * from './risks.ts'
export * from './scale.ts'
export * from './scopes.ts'
export * from './tasks.ts'
export * from './workspace.ts'
export { type PersonName, type ProjectName } from './view.ts'
