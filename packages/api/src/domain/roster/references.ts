/** Rows that name a person by email or by external id. */

import { type PreparedRows, prepareRows, rowError } from '#domain/engine/batch'
import {
  emailKey,
  type PersonMatch,
  selectNamedPeople,
  selectPeople,
  type StoredPerson,
} from '#storage/nouns/personnel'
import type { Read } from '#storage/statements/access'
import { StorageError } from '#storage/values/storage-error'

import type { LockedPeople } from './assignable.ts'

/** What a row may have of these: `owner_user_id`, `owner_email` and `owner_external_id`. */
export type PersonNames<S extends string> = Partial<
  Record<`${S}_${'user_id' | 'email' | 'external_id'}`, string | null>
>

interface Named {
  readonly pointer: string
  readonly userId: string
}

/** The ways to name a person, with the texts of the errors. */
const ways = { email: 'email', external_id: 'external id' } as const
type Way = keyof typeof ways

/** The people whom the rows of a batch name. */
export class References<S extends string> {
  readonly #stem: S
  readonly #people: readonly PersonMatch[]
  readonly #byKey: ReadonlyMap<string, readonly PersonMatch[]>
  readonly #joining: ReadonlyMap<string, string>

  private constructor(
    stem: S,
    people: readonly PersonMatch[],
    joining: ReadonlyMap<string, string>,
  ) {
    this.#stem = stem
    this.#people = people
    this.#byKey = Map.groupBy(people, ({ way, key }) => `${way} ${key}`)
    this.#joining = joining
  }

  static async find<S extends string>(
    read: Read,
    { stem, rows, joining = new Map<string, string>() }: Asked<S>,
  ): Promise<References<S>> {
    const [byEmail, byExternalId] = [`${stem}_email`, `${stem}_external_id`] as const
    const emails = rows.flatMap((row) => row[byEmail] ?? [])
    const externalIds = rows.flatMap((row) => row[byExternalId] ?? [])
    const people = await selectNamedPeople(read, { emails, externalIds })
    return new References(stem, people, joining)
  }

  /** The user ids that the rows name, to lock these people. */
  userIdsIn(rows: readonly PersonNames<S>[]): (string | null | undefined)[] {
    const named = this.#people.filter(({ isOnRoster }) => isOnRoster)
    return [...rows.map((row) => row[`${this.#stem}_user_id`]), ...named.map(({ id }) => id)]
  }

  /** Starts the write again if one of them has another email or external id since. */
  refuseMoved(people: LockedPeople): void {
    for (const { id, way, key, isOnRoster } of this.#people) {
      if (isOnRoster && keyOf(way, people.get(id)?.[way] ?? '') !== key) {
        throw new StorageError('lost_race')
      }
    }
  }

  /** The rows with user ids alone. `storedIn` finds the present user id of the record of a row. */
  async resolve<R extends PersonNames<S> & { readonly id?: string }>(
    read: Read,
    batch: PreparedRows<R>,
    storedIn: (row: R) => string | null | undefined,
  ): Promise<PreparedRows<R>> {
    const emptied = batch.data.flatMap((row) => (this.#isEmptied(row) ? (storedIn(row) ?? []) : []))
    const people = await selectPeople(read, [...new Set(emptied)])
    const known = new Map(people.map((person) => [person.id, person]))
    return prepareRows(batch, (row) => {
      const stored = storedIn(row) ?? null
      return this.#resolveRow(row, stored, known.get(stored ?? ''))
    })
  }

  /** Whether the row has a null name alone: then the names of the stored person count. */
  #isEmptied(row: PersonNames<S>): boolean {
    const names = [row[`${this.#stem}_email`], row[`${this.#stem}_external_id`]]
    const isAlone = row[`${this.#stem}_user_id`] === undefined && !names.some(Boolean)
    return isAlone && names.includes(null)
  }

  /**
   * A name wins over the stored user id, so that an export can be edited in one column. Other
   * contradictions are refused: sent again, they would undo themselves. A name that is null says
   * nothing beside another one. Alone it removes the person, unless the stored one has no such
   * name.
   */
  #resolveRow<R extends PersonNames<S>>(row: R, stored: string | null, person?: StoredPerson): R {
    const stem = this.#stem
    // The cast holds because the names of the person are texts, and the others are kept.
    const members = row as Readonly<Record<string, string | null | undefined>>
    const { [`${stem}_email`]: email, [`${stem}_external_id`]: external_id, ...rest } = members
    const field = `${stem}_user_id`
    const userId = rest[field]
    const [first, ...others] = [
      ...(userId && userId !== stored ? [{ pointer: `/${field}`, userId }] : []),
      ...this.#named({ email, external_id }, stored),
    ]
    const other = others.find((each) => each.userId !== first?.userId)
    if (first && other) {
      const detail = `must name the same person as ${first.pointer.slice(1)}, or be empty`
      throw rowError(other.pointer, 'conflicting_fields', detail)
    }
    const removed = isTakenAway({ email, external_id }, person) ? null : undefined
    const chosen = first ? first.userId : (userId ?? removed)
    // The cast holds because only the names of the person are left out.
    return { ...rest, ...(chosen !== undefined && { [field]: chosen }) } as R
  }

  #named({ email, external_id }: Names, stored: string | null): Named[] {
    return [
      ...(email ? [this.#namedBy('email', email, stored)] : []),
      ...(external_id ? [this.#namedBy('external_id', external_id, stored)] : []),
    ]
  }

  /** The person on the roster. The stored one may have left: an export goes back unchanged. */
  #namedBy(way: Way, text: string, stored: string | null): Named {
    const pointer = `/${this.#stem}_${way}`
    const key = keyOf(way, text)
    const people = this.#byKey.get(`${way} ${key}`) ?? []
    const person =
      people.find(({ id }) => id === stored) ?? people.find(({ isOnRoster }) => isOnRoster)
    const userId = person?.id ?? (way === 'external_id' ? this.#joining.get(key) : undefined)
    if (userId !== undefined) return { pointer, userId }
    const detail = `must be the ${ways[way]} of a person on the roster`
    throw rowError(pointer, 'unknown_reference', detail)
  }
}

type Names = Readonly<Record<Way, string | null | undefined>>

/** Whether a name is null that the person has. */
const isTakenAway = (names: Names, person: StoredPerson | undefined) =>
  (['email', 'external_id'] as const).some((way) => names[way] === null && person?.[way] !== null)

const keyOf = (way: Way, text: string) => (way === 'email' ? emailKey(text) : text)

interface Asked<S extends string> {
  /** The beginning of the names: `owner`, `assignee` or `manager`. */
  readonly stem: S
  readonly rows: readonly PersonNames<S>[]
  /** The user ids of people whom the batch adds or reinstates, by external id. */
  readonly joining?: ReadonlyMap<string, string>
}
