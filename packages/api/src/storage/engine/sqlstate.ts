import { DatabaseError } from 'pg'

/**
 * What an error of the database means for whoever asked:
 * - `lost_race`: someone else was first. The whole unit is run again, and its first look at the
 * data   then either succeeds or can say precisely what is in the way.
 * - `bad_value`: the database cannot hold the value; the caller's to mend.
 * - `unavailable`: not now. Nothing was changed.
 * - `bug`: ours.
 */
export type Meaning = 'lost_race' | 'bad_value' | 'unavailable' | 'bug'

/** The one table of SQLSTATEs. A whole code goes before its class, the first two characters. */
export const meanings: Readonly<Record<string, Meaning>> = {
  '0A000': 'lost_race', // a cached plan met a changed table
  '08': 'unavailable',
  '22003': 'bad_value',
  '22021': 'bad_value',
  '22P05': 'bad_value',
  '23503': 'lost_race',
  '23505': 'lost_race',
  '23514': 'lost_race', // a quota was reached in the meantime
  '25006': 'unavailable', // this server has become a standby
  '40001': 'lost_race',
  '40P01': 'lost_race',
  '53': 'unavailable',
  '55000': 'unavailable', // a standby: it cannot tell the position in its log
  '55P03': 'unavailable',
  '57': 'unavailable',
  '58': 'unavailable',
}

/** An error without a SQLSTATE comes from the connection, not from the server. */
export function meaningOf(code: string | null): Meaning {
  if (code === null) return 'unavailable'
  return meanings[code] ?? meanings[code.slice(0, 2)] ?? 'bug'
}

/** Only the server has SQLSTATEs: `EPIPE` looks like one, and comes from the connection. */
export function codeOf(error: unknown): string | null {
  return error instanceof DatabaseError ? (error.code ?? null) : null
}
