import { Failure } from '#domain/failure'
import type { Write } from '#storage/database'
import { holdPerson } from '#storage/personnel'

/** New work goes only to someone who is active, and who stays so until the write ends. */
export async function refuseUnassignable(write: Write, userId: string | null): Promise<void> {
  if (userId === null) return
  const person = await holdPerson(write, userId)
  if (person === null) throw new Failure('unknown_reference', `There is no person ${userId}.`)
  if (!person.assignable) {
    throw new Failure('not_assignable', `${userId} is ${person.status}, not active.`)
  }
}
