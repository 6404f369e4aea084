import { sql } from 'kysely'

import type { Read } from './access.ts'

/** The time of a write by the database clock, and the date in the time zone of the workspace. */
export interface Moment {
  readonly micros: number
  /** `YYYY-MM-DD` in the time zone of the workspace. Dates before it are overdue. */
  readonly today: string
  /** False when PostgreSQL does not know the time zone. Then `today` is the date in UTC. */
  readonly isZoneKnown: boolean
}

/** The instant in the format of responses. */
export const instantOf = ({ micros }: Pick<Moment, 'micros'>) =>
  new Date(Math.floor(micros / 1000)).toISOString()

/** `fixedTime` replaces the database clock in tests and for demo data. */
export async function selectMoment(read: Read, fixedTime: Date | null): Promise<Moment> {
  const now = fixedTime === null ? null : fixedTime.toISOString()
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
