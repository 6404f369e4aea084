/** The last scores of risks, from their kept states. */

import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { encodeId, uuidOf } from '#storage/values/id'

/** The states of each risk that are read. So a risk that changes often costs no more than this. */
const statesMax = 100

interface ScoreRow {
  readonly id: string
  readonly score: number
  /** Null for a score that never changed, or was imported. */
  readonly score_changed_at: string | null
  readonly created_at: string
}

/** The changes of the scores up to a number, and the first known score, oldest first by risk. */
export async function selectScoreChanges(
  read: Read,
  { ids, seq }: { readonly ids: readonly string[]; readonly seq: number },
): Promise<ScoreRow[]> {
  const { rows } = await sql<ScoreRow>`
    select asked.id, changes.score, changes.score_changed_at, changes.created_at
    from unnest(${ids.map(uuidOf)}::uuid[]) as asked (id)
    cross join lateral (
      select kept.from_seq, (kept.data ->> 'score')::smallint as score,
        lag(kept.data ->> 'score') over (order by kept.from_seq)
          is distinct from kept.data ->> 'score' as is_change,
        kept.data ->> 'score_changed_at' as score_changed_at,
        kept.data ->> 'created_at' as created_at
      from (
        select from_seq, data from history
        where ${isOwn(read, 'history')} and history.id = asked.id
          and history.from_seq <= ${seq}::bigint
        order by from_seq desc limit ${statesMax}
      ) as kept
    ) as changes
    where changes.is_change
    order by asked.id, changes.from_seq`.execute(read.db)
  return rows.map((row) => ({ ...row, id: encodeId('rsk', row.id) }))
}
