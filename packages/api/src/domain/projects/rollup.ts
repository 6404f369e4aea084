import type { PersonName, ProjectName, Quota } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { filtersIn, readAsOf, type Source, wholeCounter } from '#domain/engine/listing'
import { readPageTexts } from '#domain/engine/page-texts'
import type { RowText } from '#domain/engine/row-texts'
import { type DimensionCount, selectSummaryCounts } from '#storage/derived/summary-counts'
import { countRows, type List, selectPage } from '#storage/lists/index-ranges'
import { type Rollup, type RollupFilter, rollupList } from '#storage/lists/rollup'
import {
  isSorted,
  selectSortedChunks,
  selectSortedPage,
  type SortedItems,
} from '#storage/lists/sorted'
import { selectPersonNames } from '#storage/nouns/personnel'
import { nouns } from '#storage/schema/nouns'
import type { Counters, Snapshot, SummaryNoun } from '#storage/statements/access'
import type { Page } from '#storage/statements/keyset'
import { encodeId } from '#storage/values/id'

import { knownProjectNames, projectNames } from './project-names.ts'

export interface RollupFields {
  readonly project: ProjectName
  readonly rank: number
}

/** What a roll-up adds to its items. */
export interface RollupAdditions<Own, Fields> {
  readonly fields: (given: RollupFields) => Fields
  /** Adds the person in charge, for `include=people`. */
  readonly withPerson: (
    item: Own & Fields,
    nameOf: (userId: string | null) => PersonName | null,
  ) => Own & Fields
  readonly userIdOf: (item: Own) => string | null
  /** Reads what an extra adds to the items of a page. */
  readonly extend?: <Item extends { readonly id: string }>(
    snapshot: Snapshot,
    items: Item[],
  ) => Promise<Item[]>
}

interface RollupItems<Stored, Own, Fields> extends RollupAdditions<Own, Fields> {
  readonly query: object & { readonly include?: readonly string[] }
  /** The item without what the list adds. It must depend on the row alone. */
  readonly item: (stored: Stored) => Own
}

interface RollupSource<Stored, Name extends string, Own, Fields> extends RollupItems<
  Stored,
  Own,
  Fields
> {
  readonly rollup: Rollup<Stored, Name>
  readonly filter: RollupFilter<Name>
  /** The counter with the length of the roll-up without filters, if there is one. */
  readonly counter: Quota | null
}

/**
 * The items of a roll-up, each with its project and its rank. In rank order, a cursor has the rank
 * of the last item before the position in the index.
 */
export function rollupSource<
  Stored extends { project_id: string },
  Name extends string,
  Own extends { readonly id: string },
  Fields extends object,
>(
  caller: Caller<'projects.read'>,
  source: RollupSource<Stored, Name, Own, Fields>,
): Source<Own & Fields> {
  const { counter, query } = source
  const list = rollupList(source.rollup, source.filter)
  const namesOf = (snapshot: Snapshot) => projectNames(caller.database, snapshot)
  const common = {
    counter: wholeCounter(caller, query, counter),
    count: (snapshot: Snapshot, max: number) => countRows(snapshot, list, max),
  }
  if (isSorted(list)) {
    return {
      ...common,
      select: async (snapshot, page) => {
        const [{ next, ...sorted }, nameOf] = await Promise.all([
          selectSortedPage(snapshot, list, page),
          namesOf(snapshot),
        ])
        return { items: await presentRollup(snapshot, source, { ...sorted, nameOf }), next }
      },
      async *readAll(snapshot, chunkRows) {
        const nameOf = await namesOf(snapshot)
        for await (const sorted of selectSortedChunks(snapshot, list, chunkRows)) {
          yield await presentRollup(snapshot, source, { ...sorted, nameOf })
        }
      },
    }
  }
  return {
    ...common,
    select: async (snapshot, page) => {
      const { before, within } = passedBy(page)
      const [{ items, next }, nameOf] = await Promise.all([
        selectPage(snapshot, list, within),
        namesOf(snapshot),
      ])
      const ranks = items.map((_, index) => before + index + 1)
      return {
        items: await presentRollup(snapshot, source, { items, ranks, nameOf }),
        next: next && [before + items.length, ...next],
      }
    },
    texts: (page) => readRollupTexts(caller, { ...source, list }, page),
  }
}

/** Null for a page with extras, which are not in memory. */
async function readRollupTexts<
  Stored extends { project_id: string },
  Name extends string,
  Own extends { readonly id: string },
  Fields extends object,
>(
  caller: Caller<'projects.read'>,
  source: RollupSource<Stored, Name, Own, Fields> & { readonly list: List<Stored> },
  page: Page,
) {
  const { list, item, fields, query } = source
  if (query.include?.includes('people') || source.extend) return null
  const { before, within } = passedBy(page)
  const withNames =
    (nameOf: (projectId: string) => ProjectName) =>
    ({ projectId }: RowText, index: number) =>
      fields({ project: nameOf(projectId ?? ''), rank: before + index + 1 })
  const texts = {
    list,
    item,
    addition(counters: Counters) {
      const nameOf = knownProjectNames(caller, counters)
      return nameOf && withNames(nameOf)
    },
    readAddition: async (snapshot: Snapshot) =>
      withNames(await projectNames(caller.database, snapshot)),
  }
  const found = await readPageTexts(caller, texts, within)
  return found && { ...found, next: found.next && [before + within.limit, ...found.next] }
}

/** The number of items before a page, and the page without it. */
function passedBy({ after, limit }: Page) {
  const [passed = 0, ...position] = after ?? []
  return { before: Number(passed), within: { after: after && position, limit } }
}

interface Ranked<Stored> extends SortedItems<Stored> {
  readonly nameOf: (projectId: string) => ProjectName
}

export async function presentRollup<
  Stored extends { project_id: string },
  Own extends { readonly id: string },
  Fields extends object,
>(
  snapshot: Snapshot,
  source: RollupItems<Stored, Own, Fields>,
  { items: stored, ranks, nameOf }: Ranked<Stored>,
): Promise<(Own & Fields)[]> {
  const plain = stored.map((item, index) => ({
    ...source.item(item),
    ...source.fields({ project: nameOf(item.project_id), rank: ranks[index] ?? 0 }),
  }))
  const items = source.extend ? await source.extend(snapshot, plain) : plain
  if (!source.query.include?.includes('people')) return items
  const personOf = await peopleNamed(snapshot, items.map(source.userIdOf))
  return items.map((item) => source.withPerson(item, personOf))
}

/** Looks up the names of people by user id. */
export async function peopleNamed(snapshot: Snapshot, userIds: readonly (string | null)[]) {
  const wanted = [...new Set(userIds.filter((id) => id !== null))]
  const people = wanted.length > 0 ? await selectPersonNames(snapshot, wanted) : []
  const byId = new Map(people.map((person) => [person.user_id, person]))
  return (userId: string | null): PersonName | null => byId.get(userId ?? '') ?? null
}

interface SummarySource {
  readonly noun: SummaryNoun
  readonly query: { readonly project_id?: readonly string[] }
  /** Counts that depend on the day, which are not stored. For use with stored counts. */
  readonly unstored?: (snapshot: Snapshot) => Promise<DimensionCount[]>
  /** Counts the filtered items, for filters without stored counts. */
  readonly aggregate: (snapshot: Snapshot) => Promise<DimensionCount[]>
  /** Counts the filtered items as they were at a point, and says which; absent for now. */
  readonly past?: ((snapshot: Snapshot) => Promise<PastCounts>) | undefined
}

export interface PastCounts {
  readonly seq: number
  readonly counts: DimensionCount[]
}

/** Every summary. Without filters and by project, the stored summary counts are read. */
export function summarize<T>(
  caller: Caller<'projects.read'>,
  source: SummarySource,
  present: (counts: readonly DimensionCount[]) => T,
) {
  return caller.database.snapshot(caller, async (snapshot) => {
    const [{ seq, counts }, nameOf] = await Promise.all([
      source.past?.(snapshot) ?? countNow(caller, snapshot, source),
      projectNames(caller.database, snapshot),
    ])
    const by_project = [...countsIn(counts, 'project')].map(([value, count]) => ({
      project: nameOf(encodeId('prj', value)),
      count,
    }))
    return { as_of: seq, ...present(counts), by_project }
  })
}

/** Whether the stored counts answer the query. */
export const isCounted = (query: object) => filtersIn(query).every((name) => name === 'project_id')

async function countNow(
  { view }: Caller<'projects.read'>,
  snapshot: Snapshot,
  { noun, query, unstored, aggregate }: SummarySource,
): Promise<PastCounts> {
  const isStored = isCounted(query)
  const [kept, counted, { numbers }] = await Promise.all([
    isStored ? selectSummaryCounts(snapshot, noun, view.scope(query.project_id)) : [],
    isStored ? (unstored?.(snapshot) ?? []) : aggregate(snapshot),
    readAsOf(snapshot),
  ])
  return { seq: numbers[nouns[noun].collection], counts: [...kept, ...counted] }
}

/** Counts by person, most first; null for items without one. */
export const countPeople = (counts: readonly DimensionCount[], dimension: string) =>
  [...countsIn(counts, dimension)].map(([value, count]) => ({
    userId: value === 'none' ? null : encodeId('usr', value),
    count,
  }))

/** The counts of one dimension, by value. */
export const countsIn = (counts: readonly DimensionCount[], dimension: string) =>
  new Map(
    counts
      .filter((each) => each.dimension === dimension)
      .map(({ value, count }) => [value, count] as const),
  )

export const sumOf = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** A count for each of a fixed set of values. */
export const countEach = <V extends string>(
  values: readonly V[],
  counts: ReadonlyMap<string, number>,
) => Object.fromEntries(values.map((value) => [value, counts.get(value) ?? 0])) as Record<V, number>
