/** Returns `; did you mean name?` when a known name is similar, else an empty string. */
export function suggest(name: string, known: readonly string[]): string {
  const suggestion = nearest(name, known) ?? containing(name, known)
  return suggestion === null ? '' : `; did you mean ${suggestion}?`
}

/** Similar: at most 2 edits or a third of the length, and fewer edits than letters. */
function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > nameLengthMax) return null
  const [best] = known
    .map((candidate) => ({ candidate, distance: distance(name, candidate) }))
    .toSorted((a, b) => a.distance - b.distance)
  const isClose = best !== undefined && best.distance <= Math.max(2, name.length / 3)
  return isClose && best.distance < name.length ? best.candidate : null
}

/** The only known name of which this name is a word: `reason` of `close_reason`. */
function containing(name: string, known: readonly string[]): string | null {
  const [first = null, ...others] = known.filter((each) => each.split('_').includes(name))
  return others.length === 0 ? first : null
}

const nameLengthMax = 40

/** A name from a request for an error message: truncated, with letters, digits, spaces and `_.-`. */
export const printable = (name: string) =>
  name.slice(0, 64).replaceAll(/[^\p{L}\p{M}\p{N} _.-]/gu, '?')

/** The Levenshtein distance. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [row, char] of Array.from(a).entries()) {
    const current = [row + 1]
    for (let column = 1; column <= b.length; column++) {
      const isSame = char === b[column - 1]
      const swap = (previous[column - 1] ?? 0) + (isSame ? 0 : 1)
      current.push(Math.min(swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
