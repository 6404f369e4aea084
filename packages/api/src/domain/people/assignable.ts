import { Failure } from '#domain/failure'
import type { Write } from '#storage/database'
import { holdPeople, lockPeople, type StoredPerson } from '#storage/personnel'

/** People as they are now, who stay so until the write ends. */
export type HeldPeople = ReadonlyMap<string, StoredPerson>

type UserIds = readonly (string | null | undefined)[]

/**
 * Holds all people whom a write may give work to. People are held before projects, and projects
 * before what is in them: writes that hold things in one order cannot wait for one another in
 * circles.
 */
export const holdAll = (write: Write, userIds: UserIds) => take(write, userIds, holdPeople)

/** People as they are now, held by this write alone, in the order of their ids. */
export const lockAll = (write: Write, userIds: UserIds) => take(write, userIds, lockPeople)

async function take(write: Write, userIds: UserIds, by: typeof holdPeople): Promise<HeldPeople> {
  const wanted = [...new Set(userIds.filter((id) => typeof id === 'string'))]
  if (wanted.length === 0) return new Map()
  const people = await by(write, wanted)
  return new Map(people.map((person) => [person.id, person]))
}

/** New work goes only to someone who is active. */
export function refuseUnassignable(
  people: HeldPeople,
  userId: string | null | undefined,
  pointer: string,
): void {
  if (typeof userId !== 'string') return
  const person = people.get(userId)
  if (person === undefined) {
    throw new Failure('unknown_reference', `There is no person ${userId}.`, { pointer })
  }
  if (person.assignable) return
  const detail = `${userId} is ${person.status}, not active.`
  throw new Failure('not_assignable', detail, { pointer })
}
