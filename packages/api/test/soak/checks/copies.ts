import type { Verdict } from '#test/soak/verdict'

/** An acknowledged write to the collection, with its time and version. */
export interface Acknowledged {
  readonly at: number
  readonly version: number
}

/** A conditional read with a cached copy of version `held`. */
export interface Asked {
  readonly at: number
  readonly held: number
  /** The version of the response; null for 304. */
  readonly answered: number | null
}

/** No 304 and no response is older than a write that was acknowledged before the request. */
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
          ? 'A stale copy got 304.'
          : 'A response was older than an acknowledged write.'
      return { because, example: [known, each] }
    }
  }
  return null
}
