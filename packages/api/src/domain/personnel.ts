import { type HistoryEntry, type NewPerson, Person, type PersonStatus } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { Failure, invalid } from '#domain/failure'
import { listHistory } from '#domain/history'
import { listing, type Listing } from '#domain/listing'
import { refuseOverQuota } from '#domain/quota'
import { sortOrder } from '#domain/sort'
import { isTimeZone } from '#domain/time'
import type { Write } from '#storage/database'
import {
  countPersonnel,
  insertPerson,
  selectPersonnel,
  selectPerson,
  selectUserIdByEmail,
  selectUserIdByExternalId,
} from '#storage/personnel'

export interface PersonnelQuery {
  readonly status?: readonly PersonStatus[]
  readonly q?: string
  readonly sort?: string
}

/** Everyone on the roster, or those whom the query names instead. */
export function listPersonnel(
  caller: Caller<'personnel.read'>,
  { status, q, sort }: PersonnelQuery,
): Listing<Person> {
  const filter = { statuses: status ?? null, q: q ?? null }
  const order = sortOrder(sort)
  return listing(caller, {
    counter: status === undefined && q === undefined ? 'people' : null,
    select: (snapshot, page) => selectPersonnel(snapshot, { filter, order, page }),
    count: (snapshot, max) => countPersonnel(snapshot, filter, max),
  })
}

export async function viewPerson(
  caller: Caller<'personnel.read'>,
  userId: string,
): Promise<Person> {
  const person = await caller.database.read(caller, (read) => selectPerson(read, userId))
  if (person === null) throw new Failure('not_found', `There is no person ${userId}.`)
  return person
}

export function listPersonHistory(
  caller: Caller<'personnel.read'>,
  userId: string,
): Listing<HistoryEntry> {
  return listHistory(caller, {
    id: userId,
    shape: Person,
    refuseMissing: async (snapshot) => {
      if (await selectPerson(snapshot, userId)) return
      throw new Failure('not_found', `There is no person ${userId}.`)
    },
  })
}

export function addPerson(caller: Caller<'personnel.manage'>, input: NewPerson): Promise<Person> {
  refuseContradictions(input)
  return caller.database.write(caller, async (write) => {
    refuseOverQuota(write, 'people')
    await refuseUnknownManager(write, input)
    await refuseTaken(write, input)
    const person = newPerson(input, { id: write.newId('usr'), now: write.now })
    insertPerson(write, person)
    write.record({ type: 'person.created', subject: person.id, changed: Object.keys(input) })
    return person
  })
}

function newPerson(input: NewPerson, { id, now }: { id: string; now: string }): Person {
  return {
    id,
    user_id: id,
    name: input.name,
    email: input.email ?? null,
    phone: input.phone ?? null,
    title: input.title ?? null,
    department: input.department ?? null,
    external_id: input.external_id ?? null,
    manager_user_id: input.manager_user_id ?? null,
    time_zone: input.time_zone ?? null,
    start_on: input.start_on ?? null,
    end_on: input.end_on ?? null,
    status: 'active',
    status_reason: null,
    status_changed_at: now,
    assignable: true,
    group_ids: [],
    metadata: input.metadata ?? {},
    version: 0,
    created_at: now,
    updated_at: now,
  }
}

function refuseContradictions({ time_zone, start_on, end_on }: NewPerson): void {
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

async function refuseUnknownManager(write: Write, { manager_user_id: id }: NewPerson) {
  if (!id || (await selectPerson(write, id))) return
  throw new Failure('unknown_reference', `There is no person ${id} to be the manager.`, {
    pointer: '/manager_user_id',
  })
}

async function refuseTaken(write: Write, { email, external_id }: NewPerson): Promise<void> {
  const emailHolder = email ? await selectUserIdByEmail(write, email) : null
  if (emailHolder !== null) {
    throw new Failure('email_taken', `This email belongs to ${emailHolder}.`, {
      conflicting_id: emailHolder,
    })
  }
  const idHolder = external_id ? await selectUserIdByExternalId(write, external_id) : null
  if (idHolder !== null) {
    throw new Failure('external_id_taken', `This external id belongs to ${idHolder}.`, {
      conflicting_id: idHolder,
    })
  }
}
