/** The live risk of each project that comes first on the register. */

import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { encodeId } from '#storage/values/id'

export interface WorstRisk {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly score: number
}

/** By project, as UUIDs. */
export async function selectWorstRisks(
  read: Read,
  projects: readonly string[],
): Promise<ReadonlyMap<string, WorstRisk>> {
  const { rows } = await sql<WorstRisk & { readonly project_id: string }>`
    select scope.id as project_id, worst.id, worst.ref, worst.title, worst.score
    from unnest(${projects}::uuid[]) as scope (id)
    cross join lateral (
      select id, ref, title, score from risks
      where ${isOwn(read, 'risks')} and risks.project_id = scope.id and is_live
      order by rank_key, id limit 1
    ) as worst`.execute(read.db)
  return new Map(
    rows.map(({ project_id: project, id, ...risk }) => [
      project,
      { id: encodeId('rsk', id), ...risk },
    ]),
  )
}
