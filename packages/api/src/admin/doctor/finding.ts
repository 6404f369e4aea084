import type { Kysely } from 'kysely'

import type { DB } from '#storage/schema/tables'

type FindingState = 'ok' | 'warning' | 'error'

/** What a check found, and for a warning or an error what to do next. */
export interface Finding {
  readonly state: FindingState
  readonly found: string
  readonly next: string | null
}

export const ok = (found: string): Finding => ({ state: 'ok', found, next: null })
export const warning = (found: string, next: string): Finding => ({ state: 'warning', found, next })
export const failure = (found: string, next: string): Finding => ({ state: 'error', found, next })

/** What checks need besides the database. */
export interface CheckContext {
  readonly poolMax: number
  readonly processes: number
  readonly hasServiceUrl: boolean
}

/** One check of `doctor`. */
export interface Check {
  readonly name: string
  /**
   * The connection that it reads through: `login` as the user of DATABASE_URL, `owner` as
   * muster_owner like other admin commands, `service` as muster_app like the service.
   */
  readonly as: 'login' | 'owner' | 'service'
  /** What it needs to read, as in a GRANT statement. */
  readonly needs: string
  /** Whether it makes sense only on a primary. */
  readonly isOfPrimary?: boolean
  readonly run: (db: Kysely<DB>, context: CheckContext) => Promise<Finding[]>
}

/** `1 table`, `2 tables`. */
export const count = (number: number, noun: string, plural = `${noun}s`) =>
  `${number.toLocaleString('en').replaceAll(',', ' ')} ${number === 1 ? noun : plural}`

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const scaled = bytes / 1024 ** power
  return `${scaled.toFixed(power > 0 && scaled < 10 ? 1 : 0)} ${units[power]}`
}

export function formatDuration(seconds: number): string {
  const [size, unit] =
    (
      [
        [86_400, 'day'],
        [3600, 'hour'],
        [60, 'minute'],
      ] as const
    ).find(([each]) => seconds >= 2 * each) ?? ([1, 'second'] as const)
  return count(Math.round(seconds / size), unit)
}
