/** The known name that was probably meant, when there is one that is close. */
function nearest(name: string, known: readonly string[]): string | null {
  const [best] = known
    .map((candidate) => ({ candidate, distance: distance(name, candidate) }))
    .toSorted((a, b) => a.distance - b.distance)
  const isClose = best !== undefined && best.distance <= Math.max(2, name.length / 3)
  return isClose ? best.candidate : null
}

export function suggest(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === null ? '' : ` Did you mean ${meant}?`
}

/** Levenshtein's. Long names are cut: nobody means a name that differs by so much. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [row, letter] of Array.from(a.slice(0, 64)).entries()) {
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
