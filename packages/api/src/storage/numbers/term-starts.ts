/** The terms of a workspace, from its first number on. */

import { sql } from 'kysely'

import type { Read, Terms } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'

/** A term and its first number. */
export type TermStart = readonly [term: string, first: number]

interface Row {
  readonly term: string
  readonly first_seq: number
}

const present = ({ term, first_seq }: Row): TermStart => [term, first_seq]

/** The counters have the last terms, also one whose row is still missing. */
const allStarts = (read: Read, { terms, firsts }: Terms) => sql`
  select term, first_seq from term_starts where ${isOwn(read, 'term_starts')}
  union select term, first_seq
  from unnest(${terms}::text[], ${firsts}::bigint[]) as last (term, first_seq)`

interface Range {
  readonly from: number
  readonly to: number
  /** How many terms before the first of them. */
  readonly before: number
}

/** The terms of these numbers and some before them, oldest first. */
export async function selectTermStarts(
  read: Read,
  terms: Terms,
  { from, to, before }: Range,
): Promise<TermStart[]> {
  const { rows } = await sql<Row>`
    with starts (term, first_seq) as materialized (${allStarts(read, terms)})
    select term, first_seq from starts
    where first_seq <= ${to}::bigint and first_seq >= coalesce((
      select min(first_seq) from (
        select first_seq from starts where first_seq <= ${from}::bigint
        order by first_seq desc limit ${before + 1}
      ) as earlier
    ), 0)
    order by first_seq`.execute(read.db)
  return rows.map(present)
}

export interface KnownTerm {
  readonly start: TermStart
  /** The first number of the next term of the workspace; null for its last term. */
  readonly nextFirst: number | null
}

/** The newest of these terms that the workspace has; null if it has none of them. */
export async function selectKnownTerm(
  read: Read,
  terms: Terms,
  asked: readonly TermStart[],
): Promise<KnownTerm | null> {
  const { rows } = await sql<Row & { next_first: number | null }>`
    with starts (term, first_seq) as materialized (${allStarts(read, terms)})
    select term, first_seq, (
        select min(later.first_seq) from starts as later where later.first_seq > starts.first_seq
      ) as next_first
    from starts
    where (term, first_seq) in (
      select term, first_seq from unnest(
        ${asked.map(([term]) => term)}::text[], ${asked.map(([, first]) => first)}::bigint[]
      ) as asked (term, first_seq)
    )
    order by first_seq desc limit 1`.execute(read.db)
  const [row] = rows
  return row === undefined ? null : { start: present(row), nextFirst: row.next_first }
}
