import { Text } from '@mantine/core'
import type { Person } from '@muster/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { AnchorTo } from './links.tsx'

const everyStatus: Person['status'][] = ['active', 'suspended', 'departed']

/** The people of these ids, also those who left. At most 200. */
export const peopleQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['personnel', 'named', ...ids],
    queryFn: ({ signal }) =>
      client.personnel.list(
        { query: { user_id: [...ids], status: everyStatus, limit: 200 } },
        { signal },
      ),
    enabled: ids.length > 0,
    staleTime: 60_000,
  })

/** Names by user id; an id for which there is none, or that may not be looked up, is left out. */
export function usePeople(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const reason = useReasonAgainst('personnel.read')
  const known = [...new Set(ids.filter((id) => id !== null))].toSorted().slice(0, 200)
  const { data } = useQuery({ ...peopleQuery(known), enabled: known.length > 0 && !reason })
  return new Map(data?.data.map(({ id, name }) => [id, name]))
}

interface NameProps {
  readonly userId: string | null
  readonly names: ReadonlyMap<string, string>
}

/** A person by name, a click from their page. */
export function PersonLink({ userId, names }: NameProps) {
  if (userId === null)
    return (
      <Text span c="dimmed" inherit>
        {t('person.nobody')}
      </Text>
    )
  return (
    <AnchorTo to="/people/$user_id" params={{ user_id: userId }} inherit className="wrap">
      {names.get(userId) ?? userId}
    </AnchorTo>
  )
}
