import {
  type Collection,
  type LookupColumn,
  type PointParameter,
  type Quota,
  valueAt,
} from '@muster/contract'

import { countRows, type List, selectPage } from '#storage/lists/index-ranges'
import { isSorted, selectSortedChunks, selectSortedPage } from '#storage/lists/sorted'
import { sequenceNumbers } from '#storage/numbers/counters'
import { termsOf } from '#storage/numbers/terms'
import type { Counters, Snapshot, Terms } from '#storage/statements/access'
import type { Page, PageResult } from '#storage/statements/keyset'

import type { Caller } from './caller.ts'
import { Failure } from './failure.ts'
import { withLookups } from './lookups.ts'
import { readPageTexts, type TextPage, type TextSource } from './page-texts.ts'
import { perSnapshot } from './per-snapshot.ts'

export type { OldTerms } from '#storage/numbers/old-terms'
export { isOldNumber, termAt, termsOf } from '#storage/numbers/terms'
export type { Terms } from '#storage/statements/access'

/** The sequence number of each collection, and the terms of the numbers. */
export interface AsOf extends Terms {
  readonly numbers: Readonly<Record<Collection, number>>
  /** The points that the request names, for a response about the past. */
  readonly points?: Points
}

/** The sequence numbers of points in time, by parameter. */
export type Points = Readonly<Partial<Record<PointParameter, number>>>

interface ListPage<Item> extends PageResult<Item> {
  readonly asOf: AsOf
  /** Undefined if it was not requested, null above the limit of counting. */
  readonly total: number | null | undefined
  /** Only if it was requested. */
  readonly unmatched?: Unmatched
}

/** The values of a filter, and a list of all items that have one of them. */
export interface AskedValues {
  readonly parameter: string
  /** The field of the items. */
  readonly field: string
  readonly values: readonly string[]
  readonly listing: () => Listing<object>
}

/** By parameter: the values that no item has. */
export type Unmatched = Readonly<Record<string, readonly string[]>>

/** What a read of a list adds from the same snapshot. */
export interface Extras {
  /** The items get the values of these columns. */
  readonly lookups?: readonly LookupColumn[]
  readonly asked?: readonly AskedValues[] | undefined
}

export type PageRequest = Page & { readonly countMax: number | null }

/** A page whose items are JSON. */
export type ListPageTexts = Omit<ListPage<never>, 'items'> & Pick<TextPage, 'texts'>

/** A request to follow a log: a position that the service gave, `beginning` or `now`. */
export interface FeedRequest {
  readonly after: string
  readonly limit: number
}

/** The items after a position, in the order of their commits, and the position to continue at. */
export interface FeedPage<Item> {
  readonly items: Item[]
  readonly position: string
  readonly hasMore: boolean
  readonly asOf: AsOf
}

/** A list that has not been read yet: a page of it, or all of it. */
export interface Listing<Item> {
  /** Only for a list that can be followed. */
  readonly follow?: (request: FeedRequest) => Promise<FeedPage<Item>>
  page(request: PageRequest, extras?: Extras): Promise<ListPage<Item>>
  /** The same page as JSON; null for a list whose items depend on more than their rows. */
  pageTexts(request: PageRequest): Promise<ListPageTexts | null>
  /** All items of one snapshot in chunks. Waits for `take` before it reads the next chunk. */
  all(
    take: (items: Item[], asOf: AsOf) => Promise<void>,
    extras?: Extras,
  ): Promise<Pick<ListPage<Item>, 'asOf' | 'unmatched'>>
  /** All items, in a snapshot of the caller. */
  allIn(snapshot: Snapshot): AsyncIterable<Item[]>
}

export interface Source<Item> {
  /** The counter with the length of the list, if the list is not filtered. */
  readonly counter: Quota | null
  select(snapshot: Snapshot, page: Page): Promise<PageResult<Item>>
  /** Reads all items in chunks, where that costs less than page by page. */
  readAll?(snapshot: Snapshot, chunkRows: number): AsyncIterable<Item[]>
  count(snapshot: Snapshot, max: number): Promise<number>
  /** Absent for items that depend on more than their rows. */
  readonly texts?: ((page: Page) => Promise<TextPage | null>) | undefined
  /** Only for a list of the past, or beside it. Refuses unknown points. */
  readonly points?: (snapshot: Snapshot) => Promise<Points>
}

interface ListSource<Stored, Item, Context> {
  readonly counter: Quota | null
  readonly list: List<Stored>
  /** Read together with the page. Throws to refuse, for example if the project does not exist. */
  readonly context?: (snapshot: Snapshot) => Promise<Context>
  /** The items as the contract describes them. */
  readonly present: (stored: Stored[], given: Given<Context>) => Item[] | Promise<Item[]>
  /** The item of a row, if it depends on nothing else. */
  readonly item?: TextSource<Stored>['item'] | undefined
}

interface Given<Context> {
  readonly snapshot: Snapshot
  /** The result of `context`. */
  readonly context: Context
}

/** A listing that one list of storage serves. */
export const listingOf = <Stored, Item extends object, Context = undefined>(
  caller: Caller<never>,
  source: ListSource<Stored, Item, Context>,
): Listing<Item> => listing(caller, sourceOf(caller, source))

export function sourceOf<Stored, Item extends object, Context = undefined>(
  caller: Caller<never>,
  { counter, list, context: readContext, present, item }: ListSource<Stored, Item, Context>,
): Source<Item> {
  const texts =
    item && !isSorted(list)
      ? (page: Page) => readPageTexts(caller, { list, item }, page)
      : undefined
  const count = (snapshot: Snapshot, max: number) => countRows(snapshot, list, max)
  const withContext = async <T>(snapshot: Snapshot, selected: Promise<T>) => {
    const [context, result] = await Promise.all([readContext?.(snapshot), selected])
    // The cast holds because a source without `context` has no context type.
    return { given: { snapshot, context: context as Context }, result }
  }
  const select = async (snapshot: Snapshot, page: Page) => {
    const selected = isSorted(list)
      ? selectSortedPage(snapshot, list, page)
      : selectPage(snapshot, list, page)
    const { given, result } = await withContext(snapshot, selected)
    return { items: await present(result.items, given), next: result.next }
  }
  if (!isSorted(list)) return { counter, count, select, texts }
  return {
    counter,
    count,
    select,
    async *readAll(snapshot, rows) {
      const { given } = await withContext(snapshot, Promise.resolve())
      for await (const { items } of selectSortedChunks(snapshot, list, rows)) {
        yield await present(items, given)
      }
    },
  }
}

const chunkRows = 500
const chunksMax = 10_000

/** Every read of a list is one snapshot, because the response states its sequence number. */
export function listing<Item extends object>(
  caller: Caller<never>,
  source: Source<Item>,
): Listing<Item> {
  const allIn = (snapshot: Snapshot) => chunksOf(source, snapshot, chunkRows)
  return {
    page: ({ countMax, ...page }, { lookups = [], asked } = {}) =>
      caller.database.snapshot(caller, async (snapshot) => {
        const [result, asOf, total, unmatched] = await Promise.all([
          source.select(snapshot, page),
          readPoints(snapshot, source),
          countMax === null ? undefined : readTotal(snapshot, source, countMax),
          asked && readUnmatched(snapshot, asked),
        ])
        const items = await lookedUp(snapshot, lookups, result.items)
        return { ...result, items, asOf, total, ...(unmatched && { unmatched }) }
      }),

    async pageTexts({ countMax, ...page }) {
      const { counter, texts } = source
      const isCounted = countMax === null || counter !== null
      const found = isCounted ? ((await texts?.(page)) ?? null) : null
      if (found === null) return null
      const { counters, ...rest } = found
      const total = countMax === null || counter === null ? undefined : counters[counter]
      return { ...rest, asOf: asOfCounters(counters), total }
    },

    all: (take, { lookups = [], asked } = {}) =>
      caller.database.snapshot(caller, async (snapshot) => {
        const asOf = await readPoints(snapshot, source)
        const unmatched = asked && (await readUnmatched(snapshot, asked))
        for await (const items of once(allIn(snapshot))) {
          await take(await lookedUp(snapshot, lookups, items), asOf)
        }
        return { asOf, ...(unmatched && { unmatched }) }
      }),

    allIn,
  }
}

async function readUnmatched(
  snapshot: Snapshot,
  asked: readonly AskedValues[],
): Promise<Unmatched> {
  const read = async ({ parameter, field, values, listing: list }: AskedValues) => {
    const found = new Set<unknown>()
    for await (const items of list().allIn(snapshot)) {
      for (const item of items) found.add(comparable(field, valueAt(item, field)))
    }
    const missing = values.filter((value) => !found.has(comparable(field, value)))
    return [parameter, missing] as const
  }
  return Object.fromEntries(await Promise.all(asked.map(read)))
}

/** As the filters compare: letter case does not matter in an email and in the name of a group. */
const comparable = (field: string, value: unknown) =>
  field === 'email' || field === 'name' ? String(value).toLowerCase() : value

const lookedUp = async <Item extends object>(
  snapshot: Snapshot,
  lookups: readonly LookupColumn[],
  items: Item[],
): Promise<Item[]> => (lookups.length > 0 ? withLookups(snapshot, lookups, items) : items)

/** A listing whose source depends on the snapshot: the query names what the snapshot looks up. */
export function listingIn<Item extends object>(
  caller: Caller<never>,
  sourceIn: (snapshot: Snapshot) => Promise<Source<Item>>,
): Listing<Item> {
  const sourceFor = perSnapshot(sourceIn)
  return listing(caller, {
    counter: null,
    count: async (snapshot, max) => (await sourceFor(snapshot)).count(snapshot, max),
    select: async (snapshot, page) => (await sourceFor(snapshot)).select(snapshot, page),
    async *readAll(snapshot, rows) {
      yield* chunksOf(await sourceFor(snapshot), snapshot, rows)
    },
  })
}

/** All items in chunks: at least one, which can be empty. */
export const chunksOf = <Item>(source: Source<Item>, snapshot: Snapshot, rows: number) =>
  source.readAll?.(snapshot, rows) ?? pagesOf(source, snapshot)

async function* pagesOf<Item>(source: Source<Item>, snapshot: Snapshot): AsyncGenerator<Item[]> {
  let page: Page = { after: null, limit: chunkRows }
  for (let chunks = 0; chunks < chunksMax; chunks++) {
    const { items, next } = await source.select(snapshot, page)
    yield items
    if (next === null) return
    page = { after: next, limit: chunkRows }
  }
  throw new Error('The list is longer than the quotas allow.')
}

/** A failed transaction is retried, but not after a part of its result was passed on. */
async function* once<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
  let isFirst = true
  try {
    for await (const chunk of chunks) {
      yield chunk
      isFirst = false
    }
  } catch (error) {
    throw isFirst ? error : new Failure('unavailable', undefined, { cause: error })
  }
}

export const readAsOf = async (snapshot: Snapshot): Promise<AsOf> =>
  asOfCounters(await snapshot.counters)

async function readPoints(
  snapshot: Snapshot,
  { points }: Pick<Source<unknown>, 'points'>,
): Promise<AsOf> {
  const asOf = await readAsOf(snapshot)
  return points ? { ...asOf, points: await points(snapshot) } : asOf
}

const asOfCounters = (counters: Counters): AsOf => ({
  ...termsOf(counters),
  numbers: sequenceNumbers(counters),
})

async function readTotal(snapshot: Snapshot, source: Source<unknown>, countMax: number) {
  if (source.counter !== null) return (await snapshot.counters)[source.counter]
  const count = await source.count(snapshot, countMax)
  return count > countMax ? null : count
}

/** The counter of a list that the query does not filter, and of which the view shows all. */
export const wholeCounter = (
  { view }: Pick<Caller<never>, 'view'>,
  query: object,
  counter: Quota | null,
): Quota | null => (view.isAll && filtersIn(query).length === 0 ? counter : null)

/** The names of the given filters. */
export const filtersIn = (query: object) =>
  Object.entries(query).flatMap(([name, value]) =>
    value === undefined || notFilters.has(name) ? [] : [name],
  )

const notFilters = new Set(['include', 'limit', 'cursor', 'sort', 'format', 'as_of', 'compare'])
