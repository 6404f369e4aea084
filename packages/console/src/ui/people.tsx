import { Text } from '@mantine/core'
import type { Person } from '@muster/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { AnchorLink } from './links.tsx'

const allStatuses: Person['status'][] = ['active', 'suspended', 'departed']

/** People by id, including departed ones. At most 200. */
export const peopleQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['personnel', 'named', ...ids],
    queryFn: ({ signal }) =>
      client.personnel.list(
        { query: { user_id: [...ids], status: allStatuses, limit: 200 } },
        { signal },
      ),
    enabled: ids.length > 0,
    staleTime: 60_000,
  })

/** Names by user id. Unknown ids are left out, and all of them without `personnel.read`. */
export function usePersonNames(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const reason = useMissingScopeReason('personnel.read')
  const uniqueIds = [...new Set(ids.filter((id) => id !== null))].toSorted().slice(0, 200)
  const { data } = useQuery({ ...peopleQuery(uniqueIds), enabled: uniqueIds.length > 0 && !reason })
  return new Map(data?.data.map(({ id, name }) => [id, name]))
}

interface PersonLinkProps {
  readonly userId: string | null
  readonly names: ReadonlyMap<string, string>
}

export function PersonLink({ userId, names }: PersonLinkProps) {
  if (userId === null)
    return (
      <Text span c="dimmed" inherit>
        {t('person.none')}
      </Text>
    )
  return (
    <AnchorLink to="/people/$user_id" params={{ user_id: userId }} inherit className="wrap">
      {names.get(userId) ?? userId}
    </AnchorLink>
  )
}
