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
  return key === null ? t('may.not.person', { scope }) : t('may.not', { scope, name: key.name })
}

/** Which authors of changes the user may see by name. */
export function useAuthorNames(): AuthorNames {
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const seesKeys = useMissingScopeReason('keys.read') === null
  return [...(seesPeople ? (['people'] as const) : []), ...(seesKeys ? (['keys'] as const) : [])]
}

/** A `.manage` scope also grants its `.read`. */
const manageScope = (scope: Scope) => scope.replace('.read', '.manage') as Scope
