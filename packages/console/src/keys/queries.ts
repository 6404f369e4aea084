import type { Key } from '@muster/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagesOf } from '#api/lists.ts'
import { useReasonAgainst } from '#api/whoami.ts'
import { workspaceQuery } from '#api/workspace.ts'

/** A workspace holds fewer keys than one page, so what needs care can be counted here. */
const keysPerPage = 1000

export const keyPages = (status: string | undefined) =>
  pagesOf<Key>({
    noun: 'keys',
    key: ['list', status ?? ''],
    page: (paging, signal) =>
      client.keys.list(
        // The cast holds as far as the address is right; the service says so where it is not.
        { query: { ...(status && { status: status.split(',') as Key['status'][] }), ...paging } },
        { signal },
      ),
    limit: keysPerPage,
  })

export const keyKey = (id: string) => ['keys', 'one', id] as const

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: keyKey(id),
    queryFn: ({ signal }) => client.keys.view({ params: { key_id: id } }, { signal }),
  })

/**
 * For how many days a key may live; null for any. A key that may not see the policies is offered
 * everything, and what the workspace does not allow is then refused by the service.
 */
export function useKeyDaysMax(): number | null {
  const isUnseen = useReasonAgainst('workspace.read') !== null
  const { data } = useQuery({ ...workspaceQuery, enabled: !isUnseen })
  return data?.policies.key_days_max ?? null
}
