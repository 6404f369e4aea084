import type { Key } from '@muster/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { pagedQuery } from '#data/lists.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { workspaceQuery } from '#data/workspace.ts'
import { t } from '#text/index.ts'

/** A workspace has fewer keys than this, so one page is enough to count the warnings. */
const keysPerPage = 1000

const allStatuses: Key['status'][] = ['active', 'expired', 'revoked']

/** The revoked keys, or all others. */
export const keyPages = (isRevoked: boolean) =>
  pagedQuery<Key>({
    noun: 'keys',
    key: ['list', isRevoked],
    page: (paging, signal) =>
      client.keys.list(
        { query: { ...(isRevoked && { status: ['revoked'] }), ...paging } },
        { signal },
      ),
    limit: keysPerPage,
  })

/** The names of keys by id, also of revoked ones. */
const keyNamesQuery = queryOptions({
  queryKey: ['keys', 'names'],
  queryFn: ({ signal }) =>
    client.keys.list({ query: { status: allStatuses, limit: keysPerPage } }, { signal }),
  staleTime: 60_000,
  select: ({ data }) => new Map(data.map(({ id, name, hint }) => [id, { name, hint }])),
})

/** The name of a key; “An API key” if the caller may not see it. */
export function useKeyName(id: string) {
  const isHidden = useMissingScopeReason('keys.read') !== null
  const { data } = useQuery({ ...keyNamesQuery, enabled: !isHidden })
  return data?.get(id) ?? { name: t('keys.unnamed'), hint: null }
}

/**
 * The maximum lifetime of a key in days; null for no maximum. Without `workspace.read` the policy
 * is unknown: all lifetimes are offered, and the service refuses those that it forbids.
 */
export function useKeyDaysMax(): number | null {
  const isHidden = useMissingScopeReason('workspace.read') !== null
  const { data } = useQuery({ ...workspaceQuery, enabled: !isHidden })
  return data?.policies.key_days_max ?? null
}
