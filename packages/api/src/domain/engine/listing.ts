import { type Collection, collections, type Quota } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import type { Snapshot } from '#storage/database'
import type { Found, Page, Position } from '#storage/keyset'

/** How far each collection has come, and the life of the database that these numbers belong to. */
export interface AsOf {
  readonly epoch: string
  readonly numbers: Readonly<Record<Collection, number>>
}

interface ListPage<Item> extends Found<Item> {
  readonly asOf: AsOf
  /** Undefined when it was not asked for, null when there are too many to count. */
  readonly total: number | null | undefined
}

/** A list that has been asked for and not been read yet: a page of it, or all of it. */
export interface Listing<Item> {
  page(ask: Page & { countMax: number | null }): Promise<ListPage<Item>>
  /** All items from one moment, a chunk at a time, as fast as they are taken. */
  all(take: (items: Item[], asOf: AsOf) => Promise<void>): Promise<AsOf>
}

interface Source<Item> {
  /** The counter that tells how many there are, when the list is not filtered. */
  readonly counter: Quota | null
  select(snapshot: Snapshot, page: Page): Promise<Found<Item>>
  count(snapshot: Snapshot, max: number): Promise<number>
}

const chunkRows = 500
const chunksMax = 10_000

/** Every read of a list states its number, so it is a snapshot that contains that number. */
export function listing<Item>(caller: Caller<never>, source: Source<Item>): Listing<Item> {
  return {
    page: ({ countMax, ...page }) =>
      caller.database.snapshot(caller, async (snapshot) => {
        const [found, asOf, total] = await Promise.all([
          source.select(snapshot, page),
          readAsOf(snapshot),
          countMax === null ? undefined : readTotal(snapshot, source, countMax),
        ])
        return { ...found, asOf, total }
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
        throw new Error('A list has no end: quotas keep every list far shorter than this.')
      }),
  }
}

/** A unit that lost a race is run again; but not when part of its result has been taken already. */
async function once<T>(after: Position | null, selected: Promise<T>): Promise<T> {
  try {
    return await selected
  } catch (error) {
    throw after === null ? error : new Failure('unavailable', undefined, { cause: error })
  }
}

export async function readAsOf(snapshot: Snapshot): Promise<AsOf> {
  const counters = await snapshot.counters
  const numbers = Object.fromEntries(names.map((name) => [name, counters[`${name}_seq`]]))
  // The cast holds because there is a number for each name.
  return { epoch: counters.epoch, numbers: numbers as Record<Collection, number> }
}

// The cast holds because the collections are the keys of this object.
const names = Object.keys(collections) as Collection[]

async function readTotal(snapshot: Snapshot, source: Source<unknown>, countMax: number) {
  if (source.counter !== null) return (await snapshot.counters)[source.counter]
  const count = await source.count(snapshot, countMax)
  return count > countMax ? null : count
}

/** The names of the filters that were asked for. */
export const filtersIn = (query: object) =>
  Object.entries(query).flatMap(([name, value]) =>
    value === undefined || notFilters.has(name) ? [] : [name],
  )

const notFilters = new Set(['include', 'limit', 'cursor', 'sort'])
