import type { Verdict } from './verdict.ts'

/** A write of the collection that was acknowledged at a time, with a number. */
export interface Acknowledged {
  readonly at: number
  readonly version: number
}

/** Someone with a copy of a number asked whether it is still good. */
export interface Asked {
  readonly at: number
  readonly held: number
  /** The number of the answer; null for 304: the copy was called good. */
  readonly answered: number | null
}

/** No copy is called good, and no answer is given, that is older than what was known by then. */
export function checkCopies(writes: readonly Acknowledged[], asked: readonly Asked[]): Verdict {
  const inTime = writes.toSorted((a, b) => a.at - b.at)
  let known: Acknowledged | null = null
  let next = 0
  for (const each of asked.toSorted((a, b) => a.at - b.at)) {
    for (; next < inTime.length; next++) {
      const write = inTime[next]
      if (!write || write.at >= each.at) break
      if (write.version > (known?.version ?? 0)) known = write
    }
    if (known && (each.answered ?? each.held) < known.version) {
      const because =
        each.answered === null
          ? 'A copy was called good that was not.'
          : 'An answer was older than what had been acknowledged.'
      return { because, example: [known, each] }
    }
  }
  return null
}
