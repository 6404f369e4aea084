import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'

export interface JobLock {
  readonly name: string
  readonly holder: string
  readonly seconds: number
}

/**
 * Job lock: acquires or renews a lease, so that one process runs a job at a time. Without renewal
 * the lock expires. Uses the database clock, so the clocks of processes need not agree. Do not call
 * it in a transaction, where `now()` does not advance.
 */
export async function acquireJobLock(db: Kysely<DB>, { name, holder, seconds }: JobLock) {
  const { rows } = await sql<{ holder: string }>`
    insert into job_locks as kept (name, holder, until)
    values (${name}, ${holder}::uuid, now() + make_interval(secs => ${seconds}))
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where kept.holder = excluded.holder or kept.until < now()
    returning kept.holder`.execute(db)
  return rows.length > 0
}

export async function releaseJobLock(db: Kysely<DB>, { name, holder }: Omit<JobLock, 'seconds'>) {
  await sql`update job_locks set until = now()
    where name = ${name} and holder = ${holder}::uuid`.execute(db)
}
