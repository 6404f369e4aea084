import type { Scope, Whoami } from '@muster/contract'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'

import { t } from '#text/index.ts'

import { client } from './client.ts'

export const whoamiQuery = queryOptions({
  queryKey: ['keys', 'whoami'],
  queryFn: ({ signal }) => client.keys.whoami({}, { signal }),
  staleTime: 60_000,
})

/** Whoever is signed in. Every page within the shell may ask. */
export const useWhoami = (): Whoami => useSuspenseQuery(whoamiQuery).data

/** Null when the key may do it; else the reason why it may not, to be shown. */
export function useReasonAgainst(scope: Scope): string | null {
  const { key } = useWhoami()
  const isAllowed = key.scopes.includes(scope) || key.scopes.includes(managing(scope))
  return isAllowed ? null : t('may.not', { scope, name: key.name })
}

/** A `.manage` scope also grants its `.read`. */
const managing = (scope: Scope) => scope.replace('.read', '.manage') as Scope
