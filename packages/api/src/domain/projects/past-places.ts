/** The order of a list of the past, which each of its pages needs. */

import type { Caller } from '#domain/engine/caller'
import { compareRanks, type Rank } from '#domain/rules/ranks'
import { nouns } from '#storage/schema/nouns'
import type { Snapshot } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'

import { type AskedPast, filterIn, listedAt, type PastList, type PastNoun } from './past-items.ts'

/** The place of an item in a list of the past. */
export interface PastPlace {
  readonly id: string
  readonly rank: Rank
  /** The score of a risk, or the severity of an issue. */
  readonly value: number
  readonly status: string
}

/** Places of all lists together. A place has about 200 bytes. */
const placesMax = 200_000

/** The least recently used lists are dropped. A longer list is not kept. */
class PlaceCache {
  readonly #lists = new Map<string, readonly PastPlace[]>()
  #size = 0

  get(name: string): readonly PastPlace[] | undefined {
    const places = this.#lists.get(name)
    if (places === undefined) return undefined
    this.#lists.delete(name)
    this.#lists.set(name, places)
    return places
  }

  set(name: string, places: readonly PastPlace[]): void {
    this.#delete(name)
    if (places.length >= placesMax) return
    this.#lists.set(name, places)
    this.#size += places.length + 1
    for (const oldest of this.#lists.keys()) {
      if (this.#size <= placesMax) return
      this.#delete(oldest)
    }
  }

  #delete(name: string): void {
    const places = this.#lists.get(name)
    if (places && this.#lists.delete(name)) this.#size -= places.length + 1
  }
}

const caches = new WeakMap<Database, PlaceCache>()

/** The places of a list of the past, in its order. */
export async function placesAt<N extends PastNoun, Own extends { status: string }>(
  { database }: Pick<Caller<never>, 'database'>,
  snapshot: Snapshot,
  { past, ...asked }: AskedPast & { readonly past: PastList<N, Own> },
): Promise<readonly PastPlace[]> {
  const cache = caches.get(database) ?? new PlaceCache()
  caches.set(database, cache)
  const name = await nameOf(snapshot, { past, ...asked })
  const known = cache.get(name)
  if (known) return known
  const places = await readPlaces(snapshot, { past, ...asked })
  cache.set(name, places)
  return places
}

/**
 * States up to a number do not change on one server. An item that moves can leave the projects of a
 * key, so the places of a key of some projects are those of one number of the collection.
 */
async function nameOf<N extends PastNoun, Own>(
  snapshot: Snapshot,
  { past: { noun, only, filters }, seq, query }: AskedPast & { readonly past: PastList<N, Own> },
): Promise<string> {
  const { epoch, server, ...counters } = await snapshot.counters
  const { view, workspaceId } = snapshot
  const seen = view.isAll ? '' : `${view.label} ${counters[`${nouns[noun].collection}_seq`]}`
  const filter = JSON.stringify(filterIn(filters, query))
  return [workspaceId, epoch, server, noun, only, seq, seen, filter].join(' ')
}

async function readPlaces<N extends PastNoun, Own extends { status: string }>(
  snapshot: Snapshot,
  { past, ...asked }: AskedPast & { readonly past: PastList<N, Own> },
): Promise<readonly PastPlace[]> {
  const places: PastPlace[] = []
  for await (const chunk of listedAt(snapshot, past, asked)) {
    for (const { stored, item } of chunk) {
      const { id, status } = stored
      places.push({ id, status, rank: past.rankOf(item), value: past.valueOf(item) })
    }
  }
  return places.toSorted((a, b) => comparePlaces(past, a.rank, b.rank))
}

/** Negative if the first rank is before the second in the order of the list. */
export const comparePlaces = (
  { isDescending }: { readonly isDescending?: true },
  a: Rank,
  b: Rank,
): number => (isDescending ? compareRanks(b, a) : compareRanks(a, b))
