import assert from 'node:assert/strict'

import type { Collection, Quota } from '@muster/contract'
import { type Kysely, sql } from 'kysely'

import { collectionNames, quotaNames, type RegisteredQuota } from '#storage/schema/nouns'
import type { DB } from '#storage/schema/tables'
import type { Counters, Read } from '#storage/statements/access'
import { template } from '#storage/statements/template'

import { presentTerms } from './terms.ts'

const columns = [
  'workspace_id',
  'seq',
  'terms',
  'term_firsts',
  'term_server',
  ...collectionNames.map((name) => `${name}_seq` as const),
  ...quotaNames,
  ...quotaNames.map((name) => `${name}_max` as const),
] as const

/** The counters of a workspace, the epoch of the database, and the running server. */
export const countersQuery = (db: Kysely<DB>) =>
  db
    .selectFrom('workspace_counters')
    .select([
      ...columns.map((column) => `workspace_counters.${column}` as const),
      sql<string>`(select epoch from cluster)`.as('epoch'),
      sql<string>`server_identity()`.as('server'),
    ])

export type SelectedCounters = Awaited<
  ReturnType<ReturnType<typeof countersQuery>['executeTakeFirstOrThrow']>
>

const ownCounters = template<Pick<Read, 'workspaceId'>, SelectedCounters>((given, db) =>
  countersQuery(db).where('workspace_id', '=', given.workspaceId),
)

export async function selectCounters(read: Read): Promise<Counters> {
  const [row] = await ownCounters.execute(read, { workspaceId: read.workspaceId })
  assert(row, 'a workspace has counters')
  return presentCounters(row)
}

export const presentCounters = (row: SelectedCounters): Counters => ({
  ...row,
  ...presentTerms(row),
})

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
export function quotasOf(
  counters: Readonly<Record<string, unknown>>,
): Record<'quota' | 'usage', Record<Quota, number>> {
  return {
    quota: byName(quotaNames, (name) => Number(counters[`${name}_max`])),
    usage: byName(quotaNames, (name) => Number(counters[name])),
  }
}

const byName = <N extends string>(names: readonly N[], value: (name: N) => number) =>
  // The cast holds because there is a number for each name.
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<N, number>

/** Starts a new epoch, which invalidates every ETag of the previous one. */
export async function updateEpoch(db: Kysely<DB>, epoch: string): Promise<void> {
  await db.updateTable('cluster').set({ epoch }).execute()
}
