import { Text } from '@mantine/core'
import type { Person } from '@muster/contract'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'

import { batchById } from '#data/batch.ts'
import { client } from '#data/client.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { AnchorLink } from '#kit/parts/links.tsx'
import { PersonName } from '#kit/parts/person.tsx'
import { t } from '#text/index.ts'

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

/** Names by user id for lists of ids of at most 200 each, such as those of one page. */
export function useNamesByPage(
  pages: readonly (readonly (string | null)[])[],
): ReadonlyMap<string, string> {
  const reason = useMissingScopeReason('personnel.read')
  return useQueries({
    queries: pages.map((ids) => {
      const query = peopleQuery([...new Set(ids.filter((id) => id !== null))].toSorted())
      return { ...query, enabled: query.enabled === true && reason === null }
    }),
    combine: (responses) =>
      new Map(responses.flatMap(({ data }) => data?.data.map(({ id, name }) => [id, name]) ?? [])),
  })
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
      {names.get(userId) ?? t('actor.name.person')}
    </AnchorLink>
  )
}

const loadName = batchById(async (ids) => {
  const { data } = await client.personnel.list({
    query: { user_id: ids, status: allStatuses, limit: 200 },
  })
  return new Map(data.map(({ id, name }) => [id, name]))
})

interface PersonByIdProps {
  readonly userId: string | null
  /** The text without a person, in red; a missing assignee is a problem. */
  readonly missing?: string
}

/** The name of a person in a cell. Cells on the screen share one request. */
export function PersonById({ userId, missing }: PersonByIdProps) {
  const reason = useMissingScopeReason('personnel.read')
  const { data, isLoading } = useQuery({
    queryKey: ['personnel', 'name', userId],
    queryFn: () => loadName(userId ?? ''),
    enabled: userId !== null && reason === null,
    staleTime: 60_000,
  })
  const name = data ?? (isLoading ? '…' : t('actor.name.person'))
  return (
    <PersonName name={userId === null ? null : name} {...(missing !== undefined && { missing })} />
  )
}
