import { DatabaseError } from 'pg'

/**
 * What a database error means for the caller:
 * - `lost_race`: a concurrent write won. The unit of work runs again, and then either succeeds or
 *   fails with a precise problem.
 * - `bad_value`: the database cannot store the value. The caller must correct it.
 * - `unavailable`: nothing was changed. The caller can retry later.
 * - `bug`: an error in the service.
 */
export type Meaning = 'lost_race' | 'bad_value' | 'unavailable' | 'bug'

/** Meanings by SQLSTATE. A full code takes precedence over its class, the first two characters. */
export const meanings: Readonly<Record<string, Meaning>> = {
  '0A000': 'lost_race', // a prepared plan is invalid after a schema change
  '08': 'unavailable',
  '22003': 'bad_value',
  '22021': 'bad_value',
  '22P05': 'bad_value',
  '23503': 'lost_race',
  '23505': 'lost_race',
  '23514': 'lost_race', // a concurrent write reached the quota
  '25006': 'unavailable', // the server is now a standby
  '40001': 'lost_race',
  '40P01': 'lost_race',
  '53': 'unavailable',
  '55000': 'unavailable', // a standby has no current WAL position
  '55P03': 'unavailable',
  '57': 'unavailable',
  '58': 'unavailable',
}

/** An error without a SQLSTATE is a connection error. */
export function meaningOf(code: string | null): Meaning {
  if (code === null) return 'unavailable'
  return meanings[code] ?? meanings[code.slice(0, 2)] ?? 'bug'
}

/** Checks the class, because the code of a connection error can look like a SQLSTATE: `EPIPE`. */
export function codeOf(error: unknown): string | null {
  return error instanceof DatabaseError ? (error.code ?? null) : null
}
