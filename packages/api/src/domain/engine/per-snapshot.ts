import type { Snapshot } from '#storage/statements/access'

/** Reads once in a snapshot, however often it is asked. */
export function perSnapshot<T>(
  read: (snapshot: Snapshot) => Promise<T>,
): (snapshot: Snapshot) => Promise<T> {
  const known = new WeakMap<Snapshot, Promise<T>>()
  return (snapshot) => {
    const result = known.get(snapshot) ?? read(snapshot)
    known.set(snapshot, result)
    return result
  }
}
