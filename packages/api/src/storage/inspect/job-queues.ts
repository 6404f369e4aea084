import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'

/** The jobs of a queue. */
export interface JobQueueState {
  readonly queue: string
  /** Jobs that wait, or wait for another attempt. */
  readonly queued: number
  readonly active: number
  /** How long the oldest job that could run has waited, in seconds; 0 if none waits. */
  readonly oldest: number
}

export async function selectJobQueues(db: Kysely<DB>): Promise<JobQueueState[]> {
  const { rows } = await sql<JobQueueState>`
    select q.name as queue,
      (count(*) filter (where j.state < 'active'))::int as queued,
      (count(*) filter (where j.state = 'active'))::int as active,
      greatest(0, coalesce(
        extract(epoch from now() - min(j.start_after) filter (where j.state < 'active')), 0
      ))::float8 as oldest
    from pgboss.queue q left join pgboss.job j on j.name = q.name and j.state <= 'active'
    where q.name not like '\\_\\_%' group by q.name order by q.name`.execute(db)
  return rows
}

/** The seconds since a worker last looked after its queues; null if none ever did. */
export async function selectWorkerAge(db: Kysely<DB>): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - max(monitor_on))::float8 as seconds
    from pgboss.queue`.execute(db)
  const seconds = rows[0]?.seconds ?? null
  return seconds === null ? null : Math.max(0, seconds)
}
