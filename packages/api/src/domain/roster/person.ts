import { initialOf, type NewPerson, patchNames, type Person, personFields } from '@muster/contract'

import { applyPatch, save, type SaveInput } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { isTimeZone } from '#domain/rules/time'
import {
  emailKey,
  type UniqueOwners,
  selectUniqueOwners,
  selectPerson,
  type StoredPerson,
  upsertPerson,
} from '#storage/nouns/personnel'
import type { Read, Write } from '#storage/statements/access'

export async function findPerson(read: Read, userId: string): Promise<StoredPerson> {
  return requirePerson(await selectPerson(read, userId), userId)
}

export function requirePerson(
  person: StoredPerson | null | undefined,
  userId: string,
): StoredPerson {
  if (person) return person
  throw new Failure('not_found', `There is no person ${userId}.`)
}

export function buildPerson(input: NewPerson, { id, now }: { id: string; now: string }): Person {
  return {
    id,
    user_id: id,
    ...initialOf(personFields),
    ...input,
    status: 'active',
    status_changed_at: now,
    assignable: true,
    group_ids: [],
    erased_at: null,
    version: 0,
    created_at: now,
    updated_at: now,
  }
}

export function saveNewPerson(write: Write, person: StoredPerson, changed: string[]): StoredPerson {
  upsertPerson(write, null, person)
  write.record({ type: 'person.created', subject: person.id, changed })
  return person
}

export const savePerson = (write: Write, saving: SaveInput<StoredPerson>) =>
  save(write, saving, upsertPerson)

const writable = patchNames(personFields)

const statusAdvice = 'Use POST …/suspend, …/resume, …/depart or …/rejoin'
/** For a read-only field of a person: the operation that sets it. */
export const personAdvice = {
  status: statusAdvice,
  status_reason: statusAdvice,
  status_changed_at: statusAdvice,
  assignable: statusAdvice,
  group_ids: 'Use PUT or DELETE /v1/groups/{group_id}/members/{user_id}',
  erased_at: 'Use POST …/erase',
}

/** Applies a patch whose nested objects are already merged with the current ones. */
export const applyPersonPatch = (person: StoredPerson, patch: object): StoredPerson => ({
  ...person,
  ...applyPatch(person, patch, { writable, advice: personAdvice }),
})

/** An erased person cannot be changed. */
export function refuseErased({ id, erased_at }: StoredPerson): void {
  if (erased_at === null) return
  throw new Failure('person_erased', `${id} was erased on ${erased_at.slice(0, 10)}.`)
}

type CheckedFields = Partial<Pick<Person, 'time_zone' | 'start_on' | 'end_on'>>

export function refuseInvalidFields({ time_zone, start_on, end_on }: CheckedFields): void {
  if (time_zone && !isTimeZone(time_zone)) {
    throw invalid({
      pointer: '/time_zone',
      code: 'unknown_time_zone',
      detail: 'must be an IANA time zone, such as Europe/Stockholm',
    })
  }
  if (start_on && end_on && end_on < start_on) {
    throw invalid({
      pointer: '/end_on',
      code: 'out_of_order',
      detail: 'must not be before start_on',
    })
  }
}

type UniqueFields = Partial<Pick<Person, 'email' | 'external_id'>>

const isText = (value: string | null | undefined) => typeof value === 'string'

/** Finds the people on the roster who have one of these emails or external ids. */
export const findUniqueOwners = (
  read: Read,
  people: readonly UniqueFields[],
): Promise<UniqueOwners> =>
  selectUniqueOwners(read, {
    emails: people.map(({ email }) => email).filter(isText),
    externalIds: people.map(({ external_id }) => external_id).filter(isText),
  })

/** Emails and external ids are unique on the roster. Reserves those of `person`, or fails. */
export function reserveUniqueFields(
  { emails, externalIds }: UniqueOwners,
  person: StoredPerson,
): void {
  const { id, email, external_id } = person
  const email_key = email === null ? null : emailKey(email)
  const emailOwner = emails.get(email_key ?? '') ?? id
  if (emailOwner !== id) {
    const detail = `This email belongs to ${emailOwner}.`
    throw new Failure('email_taken', detail, { conflicting_id: emailOwner, pointer: '/email' })
  }
  const externalIdOwner = externalIds.get(external_id ?? '') ?? id
  if (externalIdOwner !== id) {
    const detail = `This external id belongs to ${externalIdOwner}.`
    const extras = { conflicting_id: externalIdOwner, pointer: '/external_id' }
    throw new Failure('external_id_taken', detail, extras)
  }
  if (email_key !== null) emails.set(email_key, id)
  if (external_id !== null) externalIds.set(external_id, id)
}
