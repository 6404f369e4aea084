import type { Collection, Quota } from '@muster/contract'

import type { Caller } from '#domain/auth/caller'
import type { Snapshot } from '#storage/engine/access'
import { sequenceNumbers } from '#storage/engine/counters'
import { type Terms, termsOf } from '#storage/engine/terms'
import { countRows, type List, selectPage } from '#storage/lists/index-ranges'
import type { Page, PageResult, Position } from '#storage/lists/keyset'

import { Failure } from './failure.ts'

export { termAt, type Terms, termsOf } from '#storage/engine/terms'

/** The sequence number of each collection, and the terms of the numbers. */
export interface AsOf extends Terms {
  readonly numbers: Readonly<Record<Collection, number>>
}

interface ListPage<Item> extends PageResult<Item> {
  readonly asOf: AsOf
  /** Undefined if it was not requested, null above the limit of counting. */
  readonly total: number | null | undefined
}

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
  page(request: Page & { countMax: number | null }): Promise<ListPage<Item>>
  /** All items of one snapshot in chunks. Waits for `take` before it reads the next chunk. */
  all(take: (items: Item[], asOf: AsOf) => Promise<void>): Promise<AsOf>
}

interface Source<Item> {
  /** The counter with the length of the list, if the list is not filtered. */
  readonly counter: Quota | null
  select(snapshot: Snapshot, page: Page): Promise<PageResult<Item>>
  count(snapshot: Snapshot, max: number): Promise<number>
}

interface ListSource<Stored, Item, Context> {
  readonly counter: Quota | null
  readonly list: List<Stored>
  /** Read together with the page. Throws to refuse, for example if the project does not exist. */
  readonly context?: (snapshot: Snapshot) => Promise<Context>
  /** The items as the contract describes them. */
  readonly present: (stored: Stored[], given: Given<Context>) => Item[] | Promise<Item[]>
}

interface Given<Context> {
  readonly snapshot: Snapshot
  /** The result of `context`. */
  readonly context: Context
}

/** A listing that one list of storage serves. */
export const listingOf = <Stored, Item, Context = undefined>(
  caller: Caller<never>,
  { counter, list, context: readContext, present }: ListSource<Stored, Item, Context>,
): Listing<Item> =>
  listing(caller, {
    counter,
    count: (snapshot, max) => countRows(snapshot, list, max),
    select: async (snapshot, page) => {
      const [context, { items, next }] = await Promise.all([
        readContext?.(snapshot),
        selectPage(snapshot, list, page),
      ])
      // The cast holds because a source without `context` has no context type.
      return { items: await present(items, { snapshot, context: context as Context }), next }
    },
  })

const chunkRows = 500
const chunksMax = 10_000

/** Every read of a list is one snapshot, because the response states its sequence number. */
export function listing<Item>(caller: Caller<never>, source: Source<Item>): Listing<Item> {
  return {
    page: ({ countMax, ...page }) =>
      caller.database.snapshot(caller, async (snapshot) => {
        const [result, asOf, total] = await Promise.all([
          source.select(snapshot, page),
          readAsOf(snapshot),
          countMax === null ? undefined : readTotal(snapshot, source, countMax),
        ])
        return { ...result, asOf, total }
      }),

    all: (take) =>
      caller.database.snapshot(caller, async (snapshot) => {
        const asOf = await readAsOf(snapshot)
        let page: Page = { after: null, limit: chunkRows }
        for (let chunks = 0; chunks < chunksMax; chunks++) {
          const { items, next } = await once(page.after, source.select(snapshot, page))
          await take(items, asOf)
          if (next === null) return asOf
          page = { after: next, limit: chunkRows }
        }
        throw new Error('The list is longer than the quotas allow.')
      }),
  }
}

/** A failed transaction is retried, but not after a part of its result was passed on. */
async function once<T>(after: Position | null, selected: Promise<T>): Promise<T> {
  try {
    return await selected
  } catch (error) {
    throw after === null ? error : new Failure('unavailable', undefined, { cause: error })
  }
}

export async function readAsOf(snapshot: Snapshot): Promise<AsOf> {
  const counters = await snapshot.counters
  return { ...termsOf(counters), numbers: sequenceNumbers(counters) }
}

async function readTotal(snapshot: Snapshot, source: Source<unknown>, countMax: number) {
  if (source.counter !== null) return (await snapshot.counters)[source.counter]
  const count = await source.count(snapshot, countMax)
  return count > countMax ? null : count
}

/** The names of the given filters. */
export const filtersIn = (query: object) =>
  Object.entries(query).flatMap(([name, value]) =>
    value === undefined || notFilters.has(name) ? [] : [name],
  )

const notFilters = new Set(['include', 'limit', 'cursor', 'sort'])
