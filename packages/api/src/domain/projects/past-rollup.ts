/** Roll-ups as of a point, and compared with another point. */

import type { Caller } from '#domain/engine/caller'
import { chunksOf, listing, type Listing, type Points, type Source } from '#domain/engine/listing'
import { perSnapshot } from '#domain/engine/per-snapshot'
import { type DimensionCount, wide, widest } from '#storage/derived/summary-counts'
import type { States } from '#storage/nouns/states-at'
import type { Snapshot, SummaryCount } from '#storage/statements/access'
import { nil, type Page } from '#storage/statements/keyset'

import {
  listedAt,
  numberAt,
  type PastList,
  type PastNoun,
  type PastQuery,
  refuseOtherFilters,
  selectStatesAt,
} from './past-items.ts'
import { comparePlaces, type PastPlace, placesAt } from './past-places.ts'
import { projectNames } from './project-names.ts'
import { isCounted, type PastCounts, presentRollup, type RollupAdditions } from './rollup.ts'

/** A list of the past and how its items look. */
interface PastRollup<N extends PastNoun, Own, Fields, Compared> {
  readonly past: PastList<N, Own>
  readonly query: PastQuery & { readonly include?: readonly string[] }
  readonly additions: RollupAdditions<Own, Fields>
  /** What `compared` has besides the rank. Absent for a list that is not compared. */
  readonly comparedOf?: (place: PastPlace) => Compared
}

/** A roll-up with points in its query. `now` is its source at present. */
export function listAtPoints<
  N extends PastNoun,
  Own extends { id: string; status: string },
  Fields extends object,
  Compared extends object,
>(
  caller: Caller<'projects.read'>,
  rollup: PastRollup<N, Own, Fields, Compared>,
  now: () => Source<Own & Fields>,
): Listing<Own & Fields & { compared?: ({ rank: number } & Compared) | null }> {
  const { past, query } = rollup
  refuseOtherFilters(past.filters, query)
  const source = query.as_of === undefined ? now() : pastSource(caller, rollup, query.as_of)
  if (query.compare === undefined) return listing(caller, source)
  return listing(caller, comparedSource(caller, { rollup, source, text: query.compare }))
}

const pageRows = 500

/** A list as it was. The cursor has the rank of the last item. */
function pastSource<
  N extends PastNoun,
  Own extends { id: string; status: string },
  Fields extends object,
  Compared extends object,
>(
  caller: Caller<'projects.read'>,
  { past, query, additions }: PastRollup<N, Own, Fields, Compared>,
  text: string,
): Source<Own & Fields> {
  const { noun, present } = past
  const readAt = perSnapshot(async (snapshot) => {
    const seq = await numberAt(caller, snapshot, { parameter: 'as_of', text })
    return { seq, places: await placesAt(caller, snapshot, { past, seq, query }) }
  })
  async function presentPart(snapshot: Snapshot, { from, to }: { from: number; to: number }) {
    const { seq, places } = await readAt(snapshot)
    const shown = places.slice(from, to)
    const [stored, nameOf] = await Promise.all([
      selectStatesAt(snapshot, { noun, seq, ids: shown.map(({ id }) => id) }),
      projectNames(caller.database, snapshot),
    ])
    const ranks = shown.map((_, index) => from + index + 1)
    const item = (state: States[N]) => present(state, seq)
    return presentRollup(snapshot, { ...additions, query, item }, { items: stored, ranks, nameOf })
  }
  return {
    counter: null,
    points: async (snapshot) => ({ as_of: (await readAt(snapshot)).seq }),
    count: async (snapshot, max) => Math.min((await readAt(snapshot)).places.length, max + 1),
    async select(snapshot, page) {
      const { places } = await readAt(snapshot)
      const from = startOf(past, places, page)
      const to = from + page.limit
      const last = to < places.length ? places[to - 1] : undefined
      return { items: await presentPart(snapshot, { from, to }), next: last?.rank ?? null }
    },
    async *readAll(snapshot) {
      const { places } = await readAt(snapshot)
      for (let from = 0; from === 0 || from < places.length; from += pageRows) {
        yield await presentPart(snapshot, { from, to: from + pageRows })
      }
    },
  }
}

/** The index of the first place of a page. */
function startOf(
  past: { readonly isDescending?: true },
  places: readonly PastPlace[],
  { after }: Page,
): number {
  if (after === null) return 0
  const start = places.findIndex(({ rank }) => comparePlaces(past, after, rank) < 0)
  return start === -1 ? places.length : start
}

interface ComparedSource<N extends PastNoun, Own, Fields, Compared> {
  readonly rollup: PastRollup<N, Own, Fields, Compared>
  readonly source: Source<Own & Fields>
  readonly text: string
}

/** Adds to each item its place in the same list at another point. */
function comparedSource<
  N extends PastNoun,
  Own extends { id: string; status: string },
  Fields extends object,
  Compared extends object,
>(
  caller: Caller<'projects.read'>,
  { rollup, source, text }: ComparedSource<N, Own, Fields, Compared>,
): Source<Own & Fields & { compared: ({ rank: number } & Compared) | null }> {
  const { past, query, comparedOf } = rollup
  const readAt = perSnapshot(async (snapshot) => {
    const seq = await numberAt(caller, snapshot, { parameter: 'compare', text })
    const places = await placesAt(caller, snapshot, { past, seq, query })
    const indexes = new Map(places.map(({ id }, index) => [id, index]))
    return { seq, places, indexes }
  })
  async function withCompared(snapshot: Snapshot, items: readonly (Own & Fields)[]) {
    const { places, indexes } = await readAt(snapshot)
    return items.map((item) => {
      const index = indexes.get(item.id) ?? -1
      const place = places[index]
      const compared = place && comparedOf ? { rank: index + 1, ...comparedOf(place) } : null
      return { ...item, compared }
    })
  }
  return {
    counter: source.counter,
    count: (snapshot, max) => source.count(snapshot, max),
    points: async (snapshot): Promise<Points> => ({
      ...(await source.points?.(snapshot)),
      compare: (await readAt(snapshot)).seq,
    }),
    async select(snapshot, page) {
      const { items, next } = await source.select(snapshot, page)
      return { items: await withCompared(snapshot, items), next }
    },
    async *readAll(snapshot, rows) {
      for await (const items of chunksOf(source, snapshot, rows)) {
        yield withCompared(snapshot, items)
      }
    },
  }
}

interface PastSummary<N extends PastNoun, Own> {
  readonly past: PastList<N, Own>
  readonly query: PastQuery & { readonly project_id?: readonly string[] }
  readonly countsOf: (stored: States[N]) => readonly SummaryCount[]
}

/** The counts of a summary with `as_of`; undefined without. */
export function countsAtPoint<N extends PastNoun, Own extends object>(
  caller: Caller<'projects.read'>,
  { past, query, countsOf }: PastSummary<N, Own>,
): ((snapshot: Snapshot) => Promise<PastCounts>) | undefined {
  const { as_of: text } = query
  if (text === undefined) return undefined
  refuseOtherFilters(past.filters, query)
  return async (snapshot) => {
    const seq = await numberAt(caller, snapshot, { parameter: 'as_of', text })
    const counted = new Map<string, DimensionCount>()
    for await (const chunk of listedAt(snapshot, past, { seq, query })) {
      for (const count of chunk.flatMap(({ stored }) => countsOf(stored))) {
        if (count.project === nil) addCount(counted, count)
      }
    }
    const { uuids } = caller.view.scope(query.project_id)
    const areProjectsCut = !isCounted(query) || uuids === null
    return { seq, counts: largestOf([...counted.values()], { areProjectsCut }) }
  }
}

function addCount(counted: Map<string, DimensionCount>, { dimension, value }: SummaryCount): void {
  const name = `${dimension} ${value}`
  const count = (counted.get(name)?.count ?? 0) + 1
  counted.set(name, { dimension, value, count })
}

/** The largest counts of wide dimensions, and all of the others, as at present. */
const largestOf = (
  counts: readonly DimensionCount[],
  { areProjectsCut }: { readonly areProjectsCut: boolean },
): DimensionCount[] =>
  Array.from(
    Map.groupBy(counts, ({ dimension }) => dimension),
    ([dimension, values]) => {
      const sorted = values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      const isCut = wide.includes(dimension) && (dimension !== 'project' || areProjectsCut)
      return isCut ? sorted.slice(0, widest) : sorted
    },
  ).flat()
