import { type Kysely, sql } from 'kysely'

import type { DB } from './tables.ts'

export interface LeaseWish {
  readonly name: string
  readonly holder: string
  readonly seconds: number
}

/**
 * Takes or renews the right to do a job. Whoever holds it and stops renewing loses it. The time is
 * that of the database: processes need not agree about it. Not within a transaction, whose time
 * stands still.
 */
export async function takeLease(db: Kysely<DB>, { name, holder, seconds }: LeaseWish) {
  const { rows } = await sql<{ holder: string }>`
    insert into leases as kept (name, holder, until)
    values (${name}, ${holder}::uuid, now() + make_interval(secs => ${seconds}))
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where kept.holder = excluded.holder or kept.until < now()
    returning kept.holder`.execute(db)
  return rows.length > 0
}

export async function dropLease(db: Kysely<DB>, { name, holder }: Omit<LeaseWish, 'seconds'>) {
  await sql`update leases set until = now()
    where name = ${name} and holder = ${holder}::uuid`.execute(db)
}
