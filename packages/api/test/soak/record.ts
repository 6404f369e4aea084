import type { Client } from 'pg'

import type { CommittedEvent } from '#test/soak/checks/numbers'

/**
 * The events of a workspace with their commit times. The time is 0 on a server without
 * `track_commit_timestamp`.
 */
export async function committedEvents(
  sql: Client,
  workspaceId: string,
): Promise<{ events: CommittedEvent[]; counter: number }> {
  const { rows: settings } = await sql.query<{ is_kept: boolean }>(
    `select current_setting('track_commit_timestamp')::boolean as is_kept`,
  )
  const committedAt = settings[0]?.is_kept
    ? '(extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000000)::float8'
    : '0::float8'
  const { rows: events } = await sql.query<CommittedEvent>(
    `select seq::int, position::int, ${committedAt} as "committedAt" from events
     where workspace_id = $1`,
    [workspaceId],
  )
  const { rows } = await sql.query<{ seq: number }>(
    'select seq::int from workspace_counters where workspace_id = $1',
    [workspaceId],
  )
  return { events, counter: rows[0]?.seq ?? 0 }
}
