/** The fields of `wanted` that differ from `seen`. Concurrent changes of other fields are kept. */
export function changedFields<T extends object>(seen: T, wanted: Partial<T>): Partial<T> {
  const entries = Object.entries(wanted) as [keyof T, unknown][]
  const changed = entries.filter(
    ([field, value]) => JSON.stringify(seen[field]) !== JSON.stringify(value),
  )
  // The cast holds because the entries are those of `wanted`.
  return Object.fromEntries(changed) as Partial<T>
}

export const isEmpty = (changes: object) => Object.keys(changes).length === 0

/** The previous values of the changed fields. */
export const previousValues = <C extends object>(
  before: Partial<Record<keyof C, unknown>>,
  changes: C,
) =>
  // The casts hold because only existing fields are changed.
  Object.fromEntries(Object.keys(changes).map((name) => [name, before[name as keyof C]])) as C
