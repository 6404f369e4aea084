import { sql } from 'kysely'

import type { Read, Tenant, Terms } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { template } from '#storage/statements/template'

import { isOldNumber } from './terms.ts'

interface Wanted {
  readonly workspaceId: string
  readonly numbers: readonly number[]
}

const selectOldTerms = template<Wanted, { number: number; term: string | null }>(
  (given) => sql`
    select wanted.number, (
        select term from term_starts
        where ${isOwn(given, 'term_starts')} and first_seq <= greatest(wanted.number, 1)
        order by first_seq desc limit 1
      ) as term
    from unnest(${given.numbers}::bigint[]) as wanted (number)`,
)

/** What a process remembers of a workspace. The past of a term never changes. */
interface Remembered {
  /** The oldest term of the counters. Another one has another past. */
  readonly before: string
  readonly terms: Map<number, string>
}

/** The part of the database that a look-up needs. */
interface Reader {
  read<T>(tenant: Tenant, work: (read: Read) => Promise<T>): Promise<T>
}

const workspacesMax = 1000
const numbersMax = 100

/**
 * Looks up the terms of numbers that are older than the terms of the counters. A list that has not
 * changed for long has such a number, so the last results are remembered.
 */
export class OldTerms {
  readonly #database: Reader
  readonly #remembered = new Map<string, Remembered>()

  constructor(database: Reader) {
    this.#database = database
  }

  /** Adds the terms of these numbers. Present numbers need no look-up; the others need one. */
  async add<T extends Terms>(tenant: Tenant, terms: T, numbers: readonly number[]): Promise<T> {
    const old = numbers.filter((number) => isOldNumber(terms, number))
    if (old.length === 0) return terms
    const { terms: known } = this.#of(tenant, terms)
    const unknown = [...new Set(old.filter((number) => !known.has(number)))]
    const found = unknown.length === 0 ? [] : await this.#select(tenant, unknown)
    const older = new Map([...known, ...found].filter(([number]) => old.includes(number)))
    if (known.size + found.length > numbersMax) known.clear()
    for (const [number, term] of found.slice(0, numbersMax)) known.set(number, term)
    return { ...terms, older }
  }

  #of({ workspaceId }: Tenant, { terms: [before = ''] }: Terms): Remembered {
    const kept = this.#remembered.get(workspaceId)
    this.#remembered.delete(workspaceId)
    const remembered = kept?.before === before ? kept : { before, terms: new Map() }
    this.#remembered.set(workspaceId, remembered)
    const [oldest = ''] = this.#remembered.keys()
    if (this.#remembered.size > workspacesMax) this.#remembered.delete(oldest)
    return remembered
  }

  async #select(tenant: Tenant, numbers: readonly number[]): Promise<[number, string][]> {
    const rows = await this.#database.read(tenant, (read) =>
      selectOldTerms.execute(read, { workspaceId: read.workspaceId, numbers }),
    )
    return rows.flatMap(({ number, term }) => (term === null ? [] : [[number, term]]))
  }
}
