import { hashKey, type QueryKey, replaceEqualDeep } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'

import { type ChangedFields, markChanged } from './marks.ts'
import { ownChangeCount, queryClient } from './query-client.ts'
import { countMoves, keepRows, type LoadedList } from './row-changes.ts'

/** Records that others changed, with the changed fields. */
type Changed = ReadonlyMap<string, ChangedFields>

/** New data of a list that would move its rows. */
interface Waiting {
  readonly data: LoadedList
  readonly moves: number
  readonly changed: Changed
}

/** A refetch because of others. A change of the user in between makes it one of theirs. */
interface LiveRefetch {
  readonly changed: Changed
  readonly ownChanges: number
}

/** By the hash of the query. */
const shownLists = new Map<string, number>()
const liveRefetches = new Map<string, LiveRefetch>()
const waiting = new Map<string, Waiting>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setWaiting(hash: string, value: Waiting | null): void {
  if (value === null && !waiting.has(hash)) return
  if (value === null) waiting.delete(hash)
  else waiting.set(hash, value)
  for (const listener of listeners) listener()
}

/**
 * Merges new data into a cached list, as `structuralSharing` of its query. If others caused the
 * refetch, rows stay where they are: new values are shown at once, other rows when the user asks.
 * `keep` returns what is shown until then.
 */
export const mergeList = (queryKey: QueryKey, keep = keepRows) => {
  const hash = hashKey(queryKey)
  return (before: unknown, after: unknown): unknown => {
    const next: unknown = replaceEqualDeep(before, after)
    if (!isRefetch(hash, before)) return next
    // The casts hold because only queries with pages are merged by this function.
    const [old, now] = [before as LoadedList, after as LoadedList]
    const changed = changedByOthers(hash)
    const moves = changed && (shownLists.get(hash) ?? 0) > 0 ? countMoves(old, now) : 0
    if (changed === null || moves === 0) {
      setWaiting(hash, null)
      return next
    }
    const earlier = waiting.get(hash)?.changed ?? []
    setWaiting(hash, { data: now, moves, changed: new Map([...earlier, ...changed]) })
    return replaceEqualDeep(before, keep(old, now))
  }
}

/** Whether all of the cached list is read again. A placeholder is not in the cache. */
function isRefetch(hash: string, before: unknown): boolean {
  const state = queryClient.getQueryCache().get(hash)?.state
  return before !== undefined && state?.data === before && !state.fetchMeta?.fetchMore
}

/** What others changed, if that is why the query is refetched. */
function changedByOthers(hash: string): Changed | null {
  const refetch = liveRefetches.get(hash)
  return refetch && refetch.ownChanges === ownChangeCount() ? refetch.changed : null
}

/** Refetches a query on screen because others changed these records. */
export async function refetchLive(queryKey: QueryKey, changed: Changed): Promise<void> {
  const hash = hashKey(queryKey)
  const { fetchStatus, fetchMeta } = queryClient.getQueryCache().get(hash)?.state ?? {}
  // A request that the user caused shows its result at once. It is repeated, for it may be too old.
  const isOwn = fetchStatus === 'fetching' && !fetchMeta?.fetchMore
  if (!isOwn) liveRefetches.set(hash, { changed, ownChanges: ownChangeCount() })
  try {
    await queryClient.refetchQueries({ queryKey, exact: true, type: 'active' })
  } finally {
    liveRefetches.delete(hash)
  }
}

/** The number of rows that others added, removed or moved in these lists, until `show` is called. */
export function useWaitingRows(queryKeys: readonly QueryKey[]) {
  const hashes = JSON.stringify(queryKeys.map(hashKey))
  useEffect(() => keepStill(parse(hashes)), [hashes])
  const count = useSyncExternalStore(subscribe, () =>
    parse(hashes).reduce((sum, hash) => sum + (waiting.get(hash)?.moves ?? 0), 0),
  )
  const show = useCallback(() => parse(hashes).forEach(showWaiting), [hashes])
  return { count, show }
}

// The cast holds because the text is made from an array of hashes.
const parse = (hashes: string) => JSON.parse(hashes) as string[]

/** Keeps the rows of these lists where they are while they are on screen. */
function keepStill(hashes: readonly string[]): () => void {
  for (const hash of hashes) shownLists.set(hash, (shownLists.get(hash) ?? 0) + 1)
  return () => {
    for (const hash of hashes) shownLists.set(hash, (shownLists.get(hash) ?? 0) - 1)
    // With another group beside them, the same lists are on screen again at once.
    queueMicrotask(() => hashes.forEach(leave))
  }
}

/** The cached list lacks what waits, so it is read again when it is next shown. */
function leave(hash: string): void {
  if ((shownLists.get(hash) ?? 0) > 0) return
  shownLists.delete(hash)
  if (waiting.has(hash)) queryClient.getQueryCache().get(hash)?.invalidate()
  setWaiting(hash, null)
}

function showWaiting(hash: string): void {
  const rows = waiting.get(hash)
  const query = queryClient.getQueryCache().get(hash)
  if (!rows || !query) return
  setWaiting(hash, null)
  queryClient.setQueryData(query.queryKey, rows.data)
  markChanged(rows.changed)
}
