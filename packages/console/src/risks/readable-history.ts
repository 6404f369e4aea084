import type { HistoryEntry } from '@muster/contract'
import type { InfiniteData } from '@tanstack/react-query'

import type { ListResponse } from '#api/lists.ts'

type History = InfiniteData<ListResponse<HistoryEntry>, string | null>

/** Removes derived and repeated fields from the history of a risk. */
export const readableHistory = (history: History): History => ({
  ...history,
  pages: history.pages.map((page) => ({ ...page, data: page.data.map(readableEntry) })),
})

/** Fields whose change another field or the entry itself already shows. */
const repeatedFields = new Set([
  'previous_score',
  'closed_at',
  'close_note',
  'issue_ids',
  'occurred_at',
])

/** The fields to show of the first entry. The page shows the others. */
const createdFields = new Set([
  'owner_user_id',
  'status',
  'response',
  'score',
  'target',
  'inherent',
])

function readableEntry(entry: HistoryEntry): HistoryEntry {
  const isFirst = entry.type === 'risk.created'
  const changes = entry.changes
    .filter(({ field }) => (isFirst ? createdFields.has(field) : !repeatedFields.has(field)))
    // A review that changes the score changes the flags as well.
    .filter(({ field }) => field !== 'flags' || entry.type === 'risk.flagged')
    .map(({ field, from, to }) => ({ field, from: withoutRepeated(from), to: withoutRepeated(to) }))
  return { ...entry, changes }
}

/** Drops the time and rationale of an acceptance: the entry has both. */
function withoutRepeated(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('rationale' in value)) return value
  const { accepted_at: _at, rationale: _why, ...rest } = { accepted_at: null, ...value }
  return rest
}
