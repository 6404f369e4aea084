import type { Key } from '@muster/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagedQuery } from '#api/lists.ts'
import { useMissingScopeReason } from '#api/whoami.ts'
import { workspaceQuery } from '#api/workspace.ts'

/** A workspace has fewer keys than this, so one page is enough to count the warnings. */
const keysPerPage = 1000

export const keyPages = (status: string | undefined) =>
  pagedQuery<Key>({
    noun: 'keys',
    key: ['list', status ?? ''],
    page: (paging, signal) =>
      client.keys.list(
        // The cast holds for URLs that the console makes; the service refuses other values.
        { query: { ...(status && { status: status.split(',') as Key['status'][] }), ...paging } },
        { signal },
      ),
    limit: keysPerPage,
  })

export const keyQueryKey = (id: string) => ['keys', 'one', id] as const

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: keyQueryKey(id),
    queryFn: ({ signal }) => client.keys.view({ params: { key_id: id } }, { signal }),
  })

/**
 * The maximum lifetime of a key in days; null for no maximum. Without `workspace.read` the policy
 * is unknown: all lifetimes are offered, and the service refuses those that it forbids.
 */
export function useKeyDaysMax(): number | null {
  const isHidden = useMissingScopeReason('workspace.read') !== null
  const { data } = useQuery({ ...workspaceQuery, enabled: !isHidden })
  return data?.policies.key_days_max ?? null
}
