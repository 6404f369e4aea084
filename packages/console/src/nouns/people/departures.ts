import type { PlannedDeparture } from '@muster/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { t, type TextKey } from '#text/index.ts'

/** All planned departures: few, and the service answers 404 for people without one. */
const departuresQuery = queryOptions({
  queryKey: ['personnel', 'departures'],
  queryFn: async ({ signal }) => (await client.departures.list({}, { signal })).data,
})

/** The planned departures; none for users who may not know of them. */
export function useDepartures(): readonly PlannedDeparture[] {
  const reason = useMissingScopeReason('personnel.manage')
  const { data } = useQuery({ ...departuresQuery, enabled: reason === null })
  return data ?? []
}

/** The planned departure of a person; undefined without one. */
export const useDeparture = (userId: string) =>
  useDepartures().find(({ user_id }) => user_id === userId)

/**
 * The plan that a dialog changes, or null. Read once for each dialog: a refetch must not change an
 * open form.
 */
export const planToChangeQuery = (user_id: string) =>
  queryOptions({
    queryKey: ['plan-to-change', user_id],
    queryFn: async ({ signal }) => {
      const { data } = await client.departures.list({}, { signal })
      if (!data.some((plan) => plan.user_id === user_id)) return null
      return client.departures.view({ params: { user_id } }, { signal })
    },
    staleTime: Infinity,
    gcTime: 0,
  })

const refusals: Readonly<Record<string, TextKey>> = {
  person_not_active: 'departure.refused.planner',
  insufficient_scope: 'departure.refused.rights',
  beyond_your_rights: 'departure.refused.rights',
  key_revoked: 'departure.refused.key',
  key_expired: 'departure.refused.key',
  last_admin: 'departure.refused.last-admin',
  has_open_assignments: 'departure.refused.work',
  not_assignable: 'departure.refused.successor',
  validation_failed: 'departure.refused.input',
  too_many_items: 'departure.refused.too-many',
}

/** The reason in words: the detail of the service names people by their ids. */
export const refusalText = ({ code }: NonNullable<PlannedDeparture['refusal']>) =>
  t(refusals[code] ?? 'departure.refused.other')
