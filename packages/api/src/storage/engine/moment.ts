import { sql } from 'kysely'

import type { Read } from './database.ts'

/** When a write happens: by the clock of the database, and by the calendar of the workspace. */
export interface Moment {
  readonly micros: number
  /** `YYYY-MM-DD` in the time zone of the workspace, whose midnight makes a date overdue. */
  readonly today: string
  /** False when the server does not know the time zone of the workspace. `today` is UTC's then. */
  readonly isZoneKnown: boolean
}

/** The instant of it, as it goes over the wire. */
export const instantOf = ({ micros }: Pick<Moment, 'micros'>) =>
  new Date(Math.floor(micros / 1000)).toISOString()

/** `given` stands in for the clock of the database: only tests have one. */
export async function selectMoment(read: Read, given: Date | null): Promise<Moment> {
  const now = given === null ? null : given.toISOString()
  const { micros, local_day, utc_day } = await read.db
    .selectFrom('workspaces')
    .innerJoin(
      sql<{ now: string }>`(select coalesce(${now}::timestamptz, now()) as now)`.as<'clock'>(
        sql`clock`,
      ),
      (join) => join.onTrue(),
    )
    .select([
      sql<number>`(extract(epoch from clock.now) * 1000000)::bigint`.as('micros'),
      sql<string | null>`local_date(clock.now, time_zone)`.as('local_day'),
      sql<string>`(clock.now at time zone 'UTC')::date`.as('utc_day'),
    ])
    .where('id', '=', read.workspaceId)
    .executeTakeFirstOrThrow()
  return { micros, today: local_day ?? utc_day, isZoneKnown: local_day !== null }
}
