import { sql } from 'kysely'

import { type NounName, projectOfState } from '#storage/schema/nouns'
import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { template } from '#storage/statements/template'
import { uuidOf } from '#storage/values/id'

/** A state as a line of an export has it. Its `to_seq` is the `from_seq` of the next state. */
export interface WholeState {
  readonly noun: NounName
  readonly id: string
  readonly from_seq: number
  readonly data: unknown
}

interface Values extends Pick<Read, 'workspaceId'> {
  readonly states: string
}

/**
 * The window compares each state with the one before in the statement, and the first state of an
 * item with the last one in the table.
 */
const inserted = template<Values>(
  (given) => sql`
    with given as (
      select r.noun, r.id, r.project_id, r.from_seq, r.data - 'metadata' as data,
        r.data -> 'metadata' as whole,
        lag(r.data -> 'metadata') over item as previous
      from json_populate_recordset(null::history, ${given.states}::json) as r
      window item as (partition by r.id order by r.from_seq)
    ), compared as (
      select given.noun, given.id, given.project_id, given.from_seq, given.data, whole,
        last.metadata_seq as last_seq,
        whole is distinct from coalesce(previous, stored.metadata) as is_changed
      from given left join lateral (
        select history.metadata_seq from history
        where ${isOwn(given, 'history')} and history.id = given.id and previous is null
          and history.from_seq < given.from_seq
        order by history.from_seq desc limit 1
      ) as last on true
      left join history as stored on ${isOwn(given, 'stored')} and stored.id = given.id
        and stored.from_seq = last.metadata_seq
    )
    insert into history (
      workspace_id, noun, id, project_id, from_seq, metadata_seq, metadata, data
    )
    select ${given.workspaceId}::uuid, noun, id, project_id, from_seq,
      coalesce(max(from_seq) filter (where is_changed) over item, max(last_seq) over item),
      case when is_changed then whole end, data
    from compared window item as (partition by id order by from_seq)`,
)

/**
 * Inserts states of an import. The states of an item must come in the order of `from_seq`, in any
 * number of calls.
 */
export async function insertStates(read: Read, states: readonly WholeState[]): Promise<void> {
  const rows = states.map(({ noun, id, from_seq, data }) => ({
    noun,
    id: uuidOf(id),
    project_id: projectOfState(noun, { ...(data as object), id }),
    from_seq,
    data,
  }))
  const { workspaceId } = read
  await inserted.execute(read, { workspaceId, states: JSON.stringify(rows) })
}
