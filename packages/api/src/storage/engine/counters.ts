import type { Collection, Quota } from '@muster/contract'
import { sql } from 'kysely'

import type { Counters, Read } from './access.ts'
import { epochOf } from './epoch.ts'
import { collectionNames, quotaNames, type RegisteredQuota } from './nouns.ts'

const columns = [
  'workspace_id',
  'seq',
  ...collectionNames.map((name) => `${name}_seq` as const),
  ...quotaNames,
  ...quotaNames.map((name) => `${name}_max` as const),
] as const

export async function selectCounters(read: Read): Promise<Counters> {
  const { life, ...counters } = await read.db
    .selectFrom('workspace_counters')
    .select([
      ...columns,
      sql<string>`(select epoch from cluster) || left(pg_walfile_name(pg_current_wal_lsn()), 8)`.as(
        'life',
      ),
    ])
    .where('workspace_id', '=', read.workspaceId)
    .executeTakeFirstOrThrow()
  return { ...counters, epoch: epochOf(life, read.workspaceId) }
}

/**
 * The sequence number of each collection. A collection of the contract that no noun has does not
 * compile here, nor does a quota below.
 */
export function sequenceNumbers(
  counters: Readonly<Partial<Record<`${Collection}_seq`, number>>>,
): Record<Collection, number> {
  return byName(collectionNames, (name) => counters[`${name}_seq`] ?? 0)
}

/** The columns of the quotas, such as `people_max`. */
export function quotaMaxima(quota: Readonly<Record<Quota, number>>) {
  const maxima = quotaNames.map((name) => [`${name}_max`, quota[name]])
  // The cast holds because the names are those of the registry.
  return Object.fromEntries(maxima) as Record<`${RegisteredQuota}_max`, number>
}

/** The maximum and the present count of each quota. */
export function quotasOf(counters: Counters): Record<'quota' | 'usage', Record<Quota, number>> {
  return {
    quota: byName(quotaNames, (name) => counters[`${name}_max`]),
    usage: byName(quotaNames, (name) => counters[name]),
  }
}

const byName = <N extends string>(names: readonly N[], value: (name: N) => number) =>
  // The cast holds because there is a number for each name.
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<N, number>
