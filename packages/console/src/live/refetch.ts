import type { Query } from '@tanstack/react-query'

import { refetchLive } from '#data/live-lists.ts'
import { type ChangedFields, markChanged } from '#data/marks.ts'
import { isOwnRequest, isWriting } from '#data/own-requests.ts'
import { queryClient } from '#data/query-client.ts'
import { type LoadedList, rowsOf } from '#data/row-changes.ts'

import { isAffected } from './affected.ts'
import type { LiveChange } from './read-stream.ts'

/** Changes within this time cause one refetch. */
const burstMs = 150
/** The least time between two refetches of a query, for each page that is loaded. */
const pauseMs = 1000

let burst: LiveChange[] = []
let timer: ReturnType<typeof setTimeout> | null = null

/** Refetches what shows the changes, unless this page made them. A hidden page does so when shown. */
export function applyChanges(changes: readonly LiveChange[]): void {
  burst.push(...changes)
  if (burst.length > 0) timer ??= setTimeout(applyBurst, burstMs)
}

function applyBurst(): void {
  // The response to a write says which event is its own, and may arrive after the event.
  timer = isWriting() ? setTimeout(applyBurst, burstMs) : null
  if (timer !== null) return
  const ofOthers = burst.filter(({ request_id }) => !isOwnRequest(request_id))
  burst = []
  for (const query of queryClient.getQueryCache().getAll()) {
    const changes = ofOthers.filter((change) => isAffected(query.queryKey, change))
    if (changes.length === 0) continue
    query.invalidate()
    if (query.isActive() && !document.hidden) void refetch(query, changes)
  }
}

/** The changes that came while a query was refetched or paused, by the hash of the query. */
const later = new Map<string, LiveChange[]>()

/** Refetches a query, and again after a pause if there were further changes. */
async function refetch(query: Query, first: readonly LiveChange[]): Promise<void> {
  const waiting = later.get(query.queryHash)
  waiting?.push(...first)
  if (waiting) return
  let changes = first
  while (changes.length > 0) {
    later.set(query.queryHash, [])
    await refetchOnce(query, changes)
    await new Promise((resolve) => setTimeout(resolve, pauseMs * pagesOf(query)))
    changes = later.get(query.queryHash) ?? []
  }
  later.delete(query.queryHash)
}

async function refetchOnce(query: Query, changes: readonly LiveChange[]): Promise<void> {
  const changed = fieldsBySubject(changes)
  const before: unknown = query.state.data
  await refetchLive(query.queryKey, changed)
  const after: unknown = query.state.data
  if (after === before) return
  const ids = changedIds(query, before, after)
  markChanged(new Map([...changed].filter(([id]) => ids.has(id))))
}

function fieldsBySubject(changes: readonly LiveChange[]): ReadonlyMap<string, ChangedFields> {
  const found = new Map<string, Set<string>>()
  for (const { subject, changed } of changes) {
    found.set(subject.id, new Set([...(found.get(subject.id) ?? []), ...changed]))
  }
  return found
}

/** The records in the data of a query that are new or have new values. */
function changedIds({ queryKey }: Query, before: unknown, after: unknown): ReadonlySet<unknown> {
  if (queryKey[1] === 'one') return new Set([queryKey[2]])
  if (!isList(after)) return new Set()
  const seen = new Set(isList(before) ? rowsOf(before) : [])
  return new Set(rowsOf(after).flatMap((row) => (seen.has(row) ? [] : [row.id])))
}

const isList = (data: unknown): data is LoadedList =>
  typeof data === 'object' && data !== null && 'pages' in data

const pagesOf = ({ state }: Query) => (isList(state.data) ? state.data.pages.length : 1)
