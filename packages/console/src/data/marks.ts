import { useSyncExternalStore } from 'react'

/** The names of the fields that changed. */
export type ChangedFields = ReadonlySet<string>

/** The records that someone else has just changed, by id. */
const marks = new Map<string, ChangedFields>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

/** How long a change is marked. The style sheets fade the mark within it. */
const markMs = 5000

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}

/** Marks records for a moment. Another change of one makes it longer. */
export function markChanged(changes: ReadonlyMap<string, ChangedFields>): void {
  for (const [id, fields] of changes) {
    marks.set(id, fields.union(marks.get(id) ?? new Set()))
    clearTimeout(timers.get(id))
    timers.set(id, setTimeout(unmark, markMs, id))
  }
  if (changes.size > 0) notify()
}

function unmark(id: string): void {
  marks.delete(id)
  timers.delete(id)
  notify()
}

/** The changed fields of a record that is marked, or null. */
export const useMark = (id: string | null): ChangedFields | null =>
  useSyncExternalStore(subscribe, () => (id === null ? null : (marks.get(id) ?? null)))
