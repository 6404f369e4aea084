import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import { encodeId, uuidOf } from '#storage/values/id'

/** A workspace and its last sequence number. */
export interface LastNumber {
  readonly id: string
  readonly seq: number
}

/** The workspaces whose last number is not this one, with that number. */
export async function selectChanged(
  db: Kysely<DB>,
  known: readonly LastNumber[],
): Promise<LastNumber[]> {
  const { rows } = await sql<LastNumber>`
    select id, seq from changed_workspaces(
      ${known.map(({ id }) => uuidOf(id))}::uuid[], ${known.map(({ seq }) => seq)}::bigint[]
    )`.execute(db)
  return rows.map(({ id, seq }) => ({ id: encodeId('wsp', id), seq }))
}
