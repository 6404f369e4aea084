/** Risks and issues as of a point: kept states, filtered and ranked in the service. */

import type { PastFilter, PointParameter } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { filtersIn } from '#domain/engine/listing'
import { resolvePoint } from '#domain/engine/points'
import { completeStatesAt } from '#domain/engine/states'
import type { Rank } from '#domain/rules/ranks'
import { matches, type StateFilter } from '#domain/rules/state-filter'
import type { States } from '#storage/nouns/states-at'
import type { Snapshot } from '#storage/statements/access'
import { uuidOf } from '#storage/values/id'

import type { ItemPath } from './open-project.ts'

export type PastNoun = 'risk' | 'issue'

/** A list as it was: what its index has at present. */
export interface PastList<N extends PastNoun, Own> {
  readonly noun: N
  readonly only: 'live' | 'closed'
  readonly isListed: (status: string) => boolean
  /** The item in the form of the response. */
  readonly present: (stored: States[N], seq: number) => Own
  readonly rankOf: (item: Own) => Rank
  /** The score of a risk, or the severity of an issue. */
  readonly valueOf: (item: Own) => number
  readonly isDescending?: true
  /** The filters that work. */
  readonly filters: readonly PastFilter[]
}

export type PastQuery = Readonly<Record<string, unknown>> & {
  readonly as_of?: string
  readonly compare?: string
}

/** The query of a read of one resource. */
export type AsOfQuery = Pick<PastQuery, 'as_of'>

interface NamedPoint {
  readonly parameter: PointParameter
  readonly text: string
}

/** The number of a point in the query. A date means its end. */
export const numberAt = (caller: Caller<never>, snapshot: Snapshot, point: NamedPoint) =>
  resolvePoint(caller, snapshot, { ...point, edge: 'end' })

export const hasPoints = ({ as_of, compare }: PastQuery): boolean =>
  as_of !== undefined || compare !== undefined

/** A filter that needs an index, or the names of now, does not work on states. */
export function refuseOtherFilters(filters: readonly PastFilter[], query: PastQuery): void {
  const parameter = query.as_of === undefined ? 'compare' : 'as_of'
  const isSorted = query.as_of !== undefined && query['sort'] !== undefined
  const given = [...filtersIn(query), ...(isSorted ? ['sort'] : [])]
  const names: readonly string[] = filters
  const other = given.find((name) => !names.includes(name))
  if (other === undefined) return
  const detail = `The parameter ${other} does not work with ${parameter}. These filters do: `
  throw new Failure('invalid_parameter', `${detail}${filters.join(', ')}.`, { parameter: other })
}

export const filterIn = (filters: readonly PastFilter[], query: PastQuery): StateFilter =>
  // The cast holds because the query is validated.
  Object.fromEntries(filters.map((name) => [name, query[name] as StateFilter[string]]))

export interface AskedPast {
  readonly seq: number
  readonly query: PastQuery
}

/**
 * The items of the list at the number, in no order. The caller must see the project of the state,
 * and the project that the item is in now.
 */
export async function* listedAt<N extends PastNoun, Own extends object>(
  snapshot: Snapshot,
  { noun, only, isListed, present, filters }: PastList<N, Own>,
  { seq, query }: AskedPast,
): AsyncGenerator<{ readonly stored: States[N]; readonly item: Own }[]> {
  const { view } = snapshot
  const filter = filterIn(filters, query)
  for await (const states of completeStatesAt(snapshot, { noun, seq, scope: view.scope(), only })) {
    yield states.flatMap((stored) => {
      if (!isListed(stored.status) || !view.shows(stored.project_id)) return []
      const item = present(stored, seq)
      return matches(filter, item) ? [{ stored, item }] : []
    })
  }
}

interface StatesOf<N extends keyof States> {
  readonly noun: N
  readonly seq: number
  readonly ids: readonly string[]
}

/** Those of the states that existed and whose project the caller sees now, in this order. */
export async function selectStatesAt<N extends keyof States>(
  snapshot: Snapshot,
  { noun, seq, ids }: StatesOf<N>,
): Promise<States[N][]> {
  if (ids.length === 0) return []
  const byId = new Map<string, States[N]>()
  const query = { noun, seq, scope: snapshot.view.scope(), ids: ids.map(uuidOf) }
  for await (const states of completeStatesAt(snapshot, query)) {
    for (const state of states) byId.set(state.id, state)
  }
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/**
 * The state of one resource. Its metadata are in the order of their names, which the row and
 * the history do not have: a strong ETag requires that a version always has the same bytes.
 */
export async function selectStateAt<N extends Exclude<keyof States, 'task'>>(
  snapshot: Snapshot,
  { id, ...at }: Omit<StatesOf<N>, 'ids'> & { readonly id: string },
): Promise<States[N] | undefined> {
  const [state] = await selectStatesAt(snapshot, { ...at, ids: [id] })
  if (state === undefined) return undefined
  const members = Object.entries(state.metadata).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...state, metadata: Object.fromEntries(members) }
}

/** An item of a project as it was; null if it did not exist, or was in another project. */
export async function selectItemAt<N extends PastNoun>(
  caller: Caller<'projects.read'>,
  snapshot: Snapshot,
  {
    noun,
    path,
    as_of: text,
  }: { readonly noun: N; readonly path: ItemPath; readonly as_of: string },
): Promise<{ readonly seq: number; readonly state: States[N] } | null> {
  const seq = await numberAt(caller, snapshot, { parameter: 'as_of', text })
  const state = await selectStateAt(snapshot, { noun, seq, id: path.id })
  if (state?.project_id !== path.projectId || !snapshot.view.shows(path.projectId)) return null
  return { seq, state }
}
