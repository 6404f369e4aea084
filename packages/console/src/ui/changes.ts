/** Of what is wanted, only what is not so already: the rest may be changed by others meanwhile. */
export function changesTo<T extends object>(seen: T, wanted: Partial<T>): Partial<T> {
  const entries = Object.entries(wanted) as [keyof T, unknown][]
  const news = entries.filter(
    ([field, value]) => JSON.stringify(seen[field]) !== JSON.stringify(value),
  )
  // The cast holds because the fields are those of what is wanted.
  return Object.fromEntries(news) as Partial<T>
}

export const isNothing = (changes: object) => Object.keys(changes).length === 0

/** As it was, of the fields that are changed. */
export const asBefore = <C extends object>(before: Partial<Record<keyof C, unknown>>, changes: C) =>
  // The casts hold because only fields that a thing has are ever changed.
  Object.fromEntries(Object.keys(changes).map((name) => [name, before[name as keyof C]])) as C
