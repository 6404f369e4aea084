import { Failure } from '#domain/engine/failure'
import { shareLockPeople, lockPeople, type StoredPerson } from '#storage/nouns/personnel'
import type { Read } from '#storage/statements/access'

/** Locked people by user id. They cannot change before the write ends. */
export type LockedPeople = ReadonlyMap<string, StoredPerson>

type UserIds = readonly (string | null | undefined)[]

/**
 * Takes share locks on the people that a write may assign work to. Lock order: people, projects,
 * project items. One order for all writes prevents deadlocks.
 */
export const shareLockPeopleById = (read: Read, userIds: UserIds) =>
  lockById(read, userIds, shareLockPeople)

/** Takes exclusive row locks in id order. */
export const lockPeopleById = (read: Read, userIds: UserIds) => lockById(read, userIds, lockPeople)

async function lockById(
  read: Read,
  userIds: UserIds,
  lock: typeof shareLockPeople,
): Promise<LockedPeople> {
  const wanted = [...new Set(userIds.filter((id) => typeof id === 'string'))]
  if (wanted.length === 0) return new Map()
  const people = await lock(read, wanted)
  return new Map(people.map((person) => [person.id, person]))
}

/** Only active people can be assigned work. */
export function refuseUnassignable(
  people: LockedPeople,
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
