import assert from 'node:assert/strict'

import { type RawBuilder, sql } from 'kysely'

import type { Counters, Read } from '#storage/statements/access'
import { template } from '#storage/statements/template'

import { countersQuery, presentCounters, type SelectedCounters } from './counters.ts'

/** The time of a write by the database clock, and the date in the time zone of the workspace. */
export interface Moment {
  readonly micros: number
  /** `YYYY-MM-DD` in the time zone of the workspace. Dates before it are overdue. */
  readonly today: string
  /** False when PostgreSQL does not know the time zone. Then `today` is the date in UTC. */
  readonly isZoneKnown: boolean
  /** The time zone of the workspace; UTC if PostgreSQL does not know it. */
  readonly timeZone: string
}

/** The instant in the format of responses. */
export const instantOf = ({ micros }: Pick<Moment, 'micros'>) =>
  new Date(Math.floor(micros / 1000)).toISOString()

interface Asked extends Pick<Read, 'workspaceId'> {
  readonly now: string | null
}

interface SelectedMoment {
  readonly micros: number
  readonly local_day: string | null
  readonly utc_day: string
  readonly time_zone: string
}

const clockAt = (now: RawBuilder<string | null>) =>
  sql<{ now: string }>`(select coalesce(${now}::timestamptz, now()) as now)`.as<'clock'>(sql`clock`)

const momentColumns = [
  sql<number>`(extract(epoch from clock.now) * 1000000)::bigint`.as('micros'),
  sql<string | null>`local_date(clock.now, time_zone)`.as('local_day'),
  sql<string>`(clock.now at time zone 'UTC')::date`.as('utc_day'),
  'time_zone',
] as const

const moment = template<Asked, SelectedMoment>((given, db) =>
  db
    .selectFrom('workspaces')
    .innerJoin(clockAt(given.now), (join) => join.onTrue())
    .select(momentColumns)
    .where('id', '=', given.workspaceId),
)

/** `fixedTime` replaces the database clock in tests and for demo data. */
export async function selectMoment(read: Read, fixedTime: Date | null): Promise<Moment> {
  const [row] = await moment.execute(read, asked(read, fixedTime))
  assert(row, 'the workspace exists')
  return presentMoment(row)
}

const opening = template<Asked, SelectedCounters & SelectedMoment>((given, db) =>
  countersQuery(db)
    .innerJoin('workspaces', 'workspaces.id', 'workspace_counters.workspace_id')
    .innerJoin(clockAt(given.now), (join) => join.onTrue())
    .select(momentColumns)
    .where('workspace_counters.workspace_id', '=', given.workspaceId),
)

/** The counters and the time of a write, in one statement. */
export async function selectOpening(
  read: Read,
  fixedTime: Date | null,
): Promise<{ counters: Counters; moment: Moment }> {
  const [row] = await opening.execute(read, asked(read, fixedTime))
  assert(row, 'the workspace has counters')
  const { micros, local_day, utc_day, time_zone, ...counters } = row
  const time = { micros, local_day, utc_day, time_zone }
  return { counters: presentCounters(counters), moment: presentMoment(time) }
}

const asked = ({ workspaceId }: Read, fixedTime: Date | null): Asked => ({
  workspaceId,
  now: fixedTime === null ? null : fixedTime.toISOString(),
})

const presentMoment = ({ micros, local_day, utc_day, time_zone }: SelectedMoment): Moment => ({
  micros,
  today: local_day ?? utc_day,
  isZoneKnown: local_day !== null,
  timeZone: local_day === null ? 'UTC' : time_zone,
})
