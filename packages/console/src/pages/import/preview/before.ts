import type { CallOptions } from '@muster/client'
import type { Person, Task } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { allStatuses as projectStatuses } from '#kit/references/projects.ts'
import type { Kind } from '#pages/import/columns/fields.ts'
import type { ImportedRecord } from '#pages/import/run/kinds.ts'

const personStatuses: Person['status'][] = ['active', 'suspended', 'departed']
const taskStatuses: Task['status'][] = ['todo', 'in_progress', 'blocked', 'done', 'cancelled']

/** A filter takes at most this many ids. */
export const recordsMax = 50

interface Wanted {
  readonly ids: string[]
  readonly refs: string[]
}

type Load = (wanted: Wanted, options: CallOptions) => Promise<readonly ImportedRecord[]>

/** The lists of live and closed records answer other filters. */
function withClosed<T extends ImportedRecord>(
  live: readonly T[],
  refs: readonly string[],
  loadClosed: (refs: string[]) => Promise<{ readonly data: readonly T[] }>,
) {
  const found = new Set(live.map(({ ref }) => ref))
  const rest = refs.filter((ref) => !found.has(ref))
  return rest.length === 0
    ? Promise.resolve(live)
    : loadClosed(rest).then(({ data }) => [...live, ...data])
}

const limit = recordsMax
const loads: Readonly<Record<Kind, Load>> = {
  people: async ({ ids }, options) => {
    const query = { user_id: ids, status: personStatuses, limit }
    return (await client.personnel.list({ query }, options)).data
  },
  projects: async ({ ids }, options) => {
    const query = { id: ids, status: projectStatuses, limit }
    return (await client.projects.list({ query }, options)).data
  },
  tasks: async ({ refs }, options) => {
    const query = { ref: refs, status: taskStatuses, limit }
    return (await client.tasks.list({ query }, options)).data
  },
  risks: async ({ ids, refs }, options) => {
    const { data } = await client.risks.list({ query: { id: ids, limit } }, options)
    return withClosed(data, refs, (ref) =>
      client.risks.list_closed({ query: { ref, limit } }, options),
    )
  },
  issues: async ({ ids, refs }, options) => {
    const { data } = await client.issues.list({ query: { id: ids, limit } }, options)
    return withClosed(data, refs, (ref) =>
      client.issues.list_closed({ query: { ref, limit } }, options),
    )
  },
}

/** The records as they are before the import, by id. At most `recordsMax`. */
export function useRecordsBefore(kind: Kind, records: readonly ImportedRecord[]) {
  const ids = records.map(({ id }) => id)
  return useQuery({
    queryKey: ['import', 'before', kind, ...ids],
    // What the check found is compared with what was there then.
    staleTime: Infinity,
    gcTime: 0,
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const refs = records.flatMap(({ ref }) => ref ?? [])
      const found = await loads[kind]({ ids, refs }, { signal })
      return new Map(found.map((record) => [record.id, record]))
    },
  })
}
