import { type CompiledQuery, type Insertable, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Read } from '#storage/statements/access'
import { isOwn, type Own } from '#storage/statements/keyset'
import { currentNumber } from '#storage/statements/rows'
import { template } from '#storage/statements/template'

/** A state from this write on. `metadata` is null if it is the same as in the last state. */
export type NewState = Pick<
  Insertable<DB['history']>,
  'noun' | 'id' | 'project_id' | 'data' | 'metadata'
>
type EventRow = Omit<Insertable<DB['events']>, 'workspace_id' | 'seq'>

/** What a write adds to the history and to the event log. */
interface Recorded {
  readonly states: readonly NewState[]
  readonly events: readonly EventRow[]
}

interface RecordedValues extends Pick<Read, 'workspaceId'> {
  readonly states: string
  readonly events: string
}

/** The state that stores the metadata of the last state of an item. */
const lastMetadata = (given: Own) => sql`
  select last.metadata_seq from history as last
  where ${isOwn(given, 'last')} and last.id = r.id order by last.from_seq desc limit 1`

/**
 * One statement for both. A task that an earlier release wrote may have no state yet. Then its
 * first state stores the metadata.
 */
const recorded = template<RecordedValues>(
  (given) => sql`
    with states as (
      insert into history (
        workspace_id, noun, id, project_id, from_seq, metadata_seq, metadata, data
      )
      select ${given.workspaceId}::uuid, r.noun, r.id, r.project_id, ${currentNumber(given)},
        case when stored.metadata is null then last.metadata_seq else ${currentNumber(given)} end,
        stored.metadata, r.data
      from json_populate_recordset(null::history, ${given.states}::json) as r
      left join lateral (${lastMetadata(given)}) as last on r.metadata is null
      cross join lateral (select case
        when r.noun = 'task' and last.metadata_seq is null then '{}'::jsonb else r.metadata
      end) as stored (metadata)
    )
    insert into events (
      workspace_id, seq, position, id, type, subject_id, project_id, actor_type, actor_id,
      actor_user_id, request_id, changed, data, occurred_at
    )
    select ${given.workspaceId}::uuid, ${currentNumber(given)}, r.position, r.id, r.type,
      r.subject_id, r.project_id, r.actor_type, r.actor_id, r.actor_user_id, r.request_id,
      r.changed, r.data, r.occurred_at
    from json_populate_recordset(null::events, ${given.events}::json) as r`,
)

/** Starts states of items, which ends those before, and records the events. */
export function recordChanges(read: Read, { states, events }: Recorded): CompiledQuery {
  const { workspaceId } = read
  const json = { states: JSON.stringify(states), events: JSON.stringify(events) }
  return recorded.compile(read, { workspaceId, ...json })
}
