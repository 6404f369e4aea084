import type { Scope, Whoami } from '@muster/contract'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'

import { t } from '#text/index.ts'

import { client } from './client.ts'
import type { AuthorNames } from './lists.ts'

export const whoamiQuery = queryOptions({
  queryKey: ['keys', 'whoami'],
  queryFn: ({ signal }) => client.keys.whoami({}, { signal }),
  staleTime: 60_000,
})

/** The person or key that is signed in, and its workspace. Use it only below the signed-in route. */
export const useWhoami = (): Whoami => useSuspenseQuery(whoamiQuery).data

/** Null if the key or the roles of the person have the scope; otherwise the reason to show. */
export function useMissingScopeReason(scope: Scope): string | null {
  const { key, scopes } = useWhoami()
  if (scopes.includes(scope) || scopes.includes(manageScope(scope))) return null
  const reason =
    key === null ? t('may.not.person', { scope }) : t('may.not', { scope, name: key.name })
  missingScopeReasons.add(reason)
  return reason
}

/** The key that is signed in, if it is bound to projects. Nothing of any other exists for it. */
export function useBoundKey() {
  const { key } = useWhoami()
  return key?.project_ids ? key : null
}

/** Beside the title of a page with counts: they may be those of the projects of a bound key. */
export const useCountsNote = (): string | null => (useBoundKey() ? t('bound.counts') : null)

/** Why no project can be created; null if one can. A bound key creates none, with any scope. */
export function useNewProjectReason(): string | null {
  const bound = useBoundKey()
  const missingScope = useMissingScopeReason('projects.manage')
  if (missingScope !== null || bound === null) return missingScope
  const reason = t('may.not.bound', { name: bound.name })
  missingScopeReasons.add(reason)
  return reason
}

const missingScopeReasons = new Set<string>()

/**
 * Whether the reason is a missing scope or a bound key. Such an action is not shown: the user can
 * do nothing about it. An action that the state of the record forbids is shown with its reason.
 */
export const isMissingScope = (reason: string | null) =>
  reason !== null && missingScopeReasons.has(reason)

/** Whether the user has at least one of the scopes. */
export function useHasAnyScope(): (scopes: readonly Scope[]) => boolean {
  const { scopes: held } = useWhoami()
  return (wanted) =>
    wanted.some((scope) => held.includes(scope) || held.includes(manageScope(scope)))
}

/** Which authors of changes the user may see by name. */
export function useAuthorNames(): AuthorNames {
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const seesKeys = useMissingScopeReason('keys.read') === null
  return [...(seesPeople ? (['people'] as const) : []), ...(seesKeys ? (['keys'] as const) : [])]
}

/** A `.manage` scope also grants its `.read`. */
const manageScope = (scope: Scope) => scope.replace('.read', '.manage') as Scope
