/** What a trend shows beside the figures: the ends of its days, and the worst risks. */

import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { encodeId } from '#storage/values/id'

/** What a trend needs to know of the days of an interval. */
export interface KnownDays {
  /** The numbers of the last changes of days, by day. */
  readonly lastSeqs: ReadonlyMap<string, number>
  /** The last day whose task figures are not known; null if all are. */
  readonly lastWithoutTasks: string | null
}

export async function selectKnownDays(
  read: Read,
  { days }: { readonly days: readonly string[] },
): Promise<KnownDays> {
  const { rows } = await sql<{ day: string; last_seq: number | null }>`
    select day, last_seq from days where ${isOwn(read, 'days')} and day = any(${days}::date[])
    union all
    select day, last_seq from (
      select day, null::bigint as last_seq from days
      where ${isOwn(read, 'days')} and not has_task_figures
      order by day desc limit 1
    ) as unknown`.execute(read.db)
  return {
    lastSeqs: new Map(rows.flatMap(({ day, last_seq: seq }) => (seq === null ? [] : [[day, seq]]))),
    lastWithoutTasks: rows.find(({ last_seq }) => last_seq === null)?.day ?? null,
  }
}

/** The live risk of a project that comes first on the register. */
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
