/** `; did you mean name?`, when there is a known name that is close to this one. */
export function suggest(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === null ? '' : `; did you mean ${meant}?`
}

/** Close is what differs in few letters, and by far not in all. */
function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > nameLengthMax) return null
  const [best] = known
    .map((candidate) => ({ candidate, distance: distance(name, candidate) }))
    .toSorted((a, b) => a.distance - b.distance)
  const isClose = best !== undefined && best.distance <= Math.max(2, name.length / 3)
  return isClose && best.distance < name.length ? best.candidate : null
}

const nameLengthMax = 40

/** A name that somebody made up, fit to be shown: not all of it, and not whatever it holds. */
export const shown = (name: string) => name.slice(0, 64).replaceAll(/[^\w.-]/g, '?')

/** Levenshtein's. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [row, letter] of Array.from(a).entries()) {
    const current = [row + 1]
    for (let column = 1; column <= b.length; column++) {
      const isSame = letter === b[column - 1]
      const swap = (previous[column - 1] ?? 0) + (isSame ? 0 : 1)
      current.push(Math.min(swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
