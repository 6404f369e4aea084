interface Row {
  readonly id: string
}

/** A list as it is cached: the pages that are loaded. */
export interface LoadedList<T extends Row = Row> {
  readonly pages: readonly {
    readonly data: readonly T[]
    readonly next_cursor: string | null
  }[]
}

export const rowsOf = <T extends Row>({ pages }: LoadedList<T>) => pages.flatMap(({ data }) => data)

/**
 * The number of rows that a list would gain, lose or move; 0 if its rows stay where they are. Rows
 * that only enter or leave at the end of the loaded pages do not count beside others.
 */
export function countMoves(before: LoadedList, after: LoadedList): number {
  const [old, now] = [idsOf(before), idsOf(after)]
  if (old.join() === now.join()) return 0
  const isLonger = [before, after].some(({ pages }) => pages.at(-1)?.next_cursor !== null)
  const [seen, next] = isLonger ? [upToCommon(old, now), upToCommon(now, old)] : [old, now]
  const places = new Map(next.map((id, at) => [id, at]))
  const kept = seen.flatMap((id) => places.get(id) ?? [])
  const stayed = longestRise(kept)
  return Math.max(1, seen.length + next.length - kept.length - stayed)
}

/** The rows in their present order, with their new values. Rows that are gone stay. */
export function keepRows<L extends LoadedList>(before: L, after: LoadedList): L {
  const latest = new Map(rowsOf(after).map((row) => [row.id, row]))
  const pages = before.pages.map((page) => ({
    ...page,
    data: page.data.map((row) => latest.get(row.id) ?? row),
  }))
  return { ...before, pages }
}

const idsOf = (list: LoadedList) => rowsOf(list).map(({ id }) => id)

/** The ids up to the last one that the other list has too. */
function upToCommon(ids: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others)
  return ids.slice(0, ids.findLastIndex((id) => known.has(id)) + 1)
}

/** The length of the longest rising subsequence: the number of rows that keep their order. */
function longestRise(places: readonly number[]): number {
  // The lowest end of a rising subsequence of each length.
  const ends: number[] = []
  for (const place of places) {
    const at = ends.findIndex((end) => end > place)
    ends[at === -1 ? ends.length : at] = place
  }
  return ends.length
}
