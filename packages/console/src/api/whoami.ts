import type { Scope, Whoami } from '@muster/contract'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'

import { t } from '#text/index.ts'

import { client } from './client.ts'

export const whoamiQuery = queryOptions({
  queryKey: ['keys', 'whoami'],
  queryFn: ({ signal }) => client.keys.whoami({}, { signal }),
  staleTime: 60_000,
})

/** The authenticated key and its workspace. Use it only below the signed-in route. */
export const useWhoami = (): Whoami => useSuspenseQuery(whoamiQuery).data

/** Null if the key has the scope; otherwise the reason to show. */
export function useMissingScopeReason(scope: Scope): string | null {
  const { key } = useWhoami()
  const isAllowed = key.scopes.includes(scope) || key.scopes.includes(manageScope(scope))
  return isAllowed ? null : t('may.not', { scope, name: key.name })
}

/** A `.manage` scope also grants its `.read`. */
const manageScope = (scope: Scope) => scope.replace('.read', '.manage') as Scope
