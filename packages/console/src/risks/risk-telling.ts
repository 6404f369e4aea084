import type { HistoryEntry } from '@muster/contract'
import type { InfiniteData } from '@tanstack/react-query'

import type { Answer } from '#api/lists.ts'

type History = InfiniteData<Answer<HistoryEntry>, string | null>

/** A risk's history as people tell it: without what follows from the rest of it. */
export const toldHistory = (history: History): History => ({
  ...history,
  pages: history.pages.map((page) => ({ ...page, data: page.data.map(toldEntry) })),
})

/** What another field or the entry itself says already. */
const restated = new Set(['previous_score', 'closed_at', 'close_note', 'issue_ids'])

/** Of a new risk only where it started from: what it is called and about stands on the page. */
const first = new Set(['owner_user_id', 'status', 'response', 'score', 'target', 'inherent'])

function toldEntry(entry: HistoryEntry): HistoryEntry {
  const isFirst = entry.type === 'risk.created'
  const changes = entry.changes
    .filter(({ field }) => (isFirst ? first.has(field) : !restated.has(field)))
    .map(({ field, from, to }) => ({ field, from: told(from), to: told(to) }))
  return { ...entry, changes }
}

/** When and why it was accepted is when the entry was made, and its note. */
function told(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('rationale' in value)) return value
  const { accepted_at: _at, rationale: _why, ...rest } = { accepted_at: null, ...value }
  return rest
}
