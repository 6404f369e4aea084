import type { NewPerson, Person } from '@muster/contract'

import { patched, save, type Saving } from '#domain/change'
import { Failure, invalid } from '#domain/failure'
import { isTimeZone } from '#domain/time'
import type { Read, Write } from '#storage/database'
import {
  emailKey,
  type Holders,
  selectHolders,
  selectPerson,
  type StoredPerson,
  storePerson,
} from '#storage/personnel'

export async function findPerson(read: Read, userId: string): Promise<StoredPerson> {
  return thePerson(await selectPerson(read, userId), userId)
}

export function thePerson(person: StoredPerson | null | undefined, userId: string): StoredPerson {
  if (person) return person
  throw new Failure('not_found', `There is no person ${userId}.`)
}

export function newPerson(input: NewPerson, { id, now }: { id: string; now: string }): Person {
  return {
    id,
    user_id: id,
    email: null,
    phone: null,
    title: null,
    department: null,
    external_id: null,
    manager_user_id: null,
    time_zone: null,
    start_on: null,
    end_on: null,
    metadata: {},
    ...input,
    status: 'active',
    status_reason: null,
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
  storePerson(write, null, person)
  write.record({ type: 'person.created', subject: person.id, changed })
  return person
}

export const savePerson = (write: Write, saving: Saving<StoredPerson>) =>
  save(write, saving, storePerson)

const writable = [
  'name',
  'email',
  'phone',
  'title',
  'department',
  'external_id',
  'manager_user_id',
  'time_zone',
  'start_on',
  'end_on',
  'status_reason',
  'metadata',
] as const

const byStatus = 'It follows from POST …/suspend, …/resume, …/depart and …/rejoin'
const advice = {
  status: byStatus,
  status_changed_at: byStatus,
  assignable: byStatus,
  group_ids: 'It follows from PUT and DELETE /v1/groups/{group_id}/members/{user_id}',
  erased_at: 'It follows from POST …/erase',
}

/** What a patch makes of a person. Objects within it have been made whole. */
export const patchOfPerson = (person: StoredPerson, patch: object): StoredPerson => ({
  ...person,
  ...patched(person, patch, { writable, advice }),
})

/** Nothing is ever said again of someone who was erased. */
export function refuseErased({ id, erased_at }: StoredPerson): void {
  if (erased_at === null) return
  throw new Failure('person_erased', `${id} was erased on ${erased_at.slice(0, 10)}.`)
}

type Said = Partial<Pick<Person, 'time_zone' | 'start_on' | 'end_on'>>

export function refuseContradictions({ time_zone, start_on, end_on }: Said): void {
  if (time_zone && !isTimeZone(time_zone)) {
    throw invalid({
      pointer: '/time_zone',
      code: 'unknown_time_zone',
      detail: 'must be a time zone of the IANA database, such as Europe/Stockholm',
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

type Unique = Partial<Pick<Person, 'email' | 'external_id'>>

const told = (value: string | null | undefined) => typeof value === 'string'

/** Who has what these people are to have, of those on the roster. */
export const holdersOf = (read: Read, people: readonly Unique[]): Promise<Holders> =>
  selectHolders(read, {
    emails: people.map(({ email }) => email).filter(told),
    externalIds: people.map(({ external_id }) => external_id).filter(told),
  })

/** On the roster an email and an external id belong to one person: from here on, to this one. */
export function claim({ emails, externalIds }: Holders, person: StoredPerson): void {
  const { id, email, external_id } = person
  const email_key = email === null ? null : emailKey(email)
  const emailHolder = emails.get(email_key ?? '') ?? id
  if (emailHolder !== id) {
    const detail = `This email belongs to ${emailHolder}.`
    throw new Failure('email_taken', detail, { conflicting_id: emailHolder, pointer: '/email' })
  }
  const idHolder = externalIds.get(external_id ?? '') ?? id
  if (idHolder !== id) {
    const detail = `This external id belongs to ${idHolder}.`
    const extras = { conflicting_id: idHolder, pointer: '/external_id' }
    throw new Failure('external_id_taken', detail, extras)
  }
  if (email_key !== null) emails.set(email_key, id)
  if (external_id !== null) externalIds.set(external_id, id)
}
