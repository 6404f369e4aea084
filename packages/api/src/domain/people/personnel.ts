import {
  type HistoryEntry,
  type NewPerson,
  Person,
  type PersonPatch,
  type PersonStatus,
} from '@muster/contract'

import { lockAll } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { isSame, mergedMetadata, refuseStale } from '#domain/change'
import { listHistory } from '#domain/history'
import { filtersIn, listing, type Listing } from '#domain/listing'
import { chartWith, refuseCycle, refuseManager } from '#domain/managers'
import {
  claim,
  findPerson,
  holdersOf,
  newPerson,
  patchOfPerson,
  refuseContradictions,
  refuseErased,
  saveNewPerson,
  savePerson,
  thePerson,
} from '#domain/person'
import { refuseOverQuota } from '#domain/quota'
import { sortOrder } from '#domain/sort'
import { lockManagers } from '#storage/personnel'
import { countRoster, selectRoster } from '#storage/roster'

export interface PersonnelQuery {
  readonly status?: readonly PersonStatus[]
  readonly user_id?: readonly string[]
  readonly group_id?: readonly string[]
  /** An id, or `none`. */
  readonly manager_user_id?: readonly string[]
  readonly title?: string
  readonly department?: string
  readonly q?: string
  readonly sort?: string
}

const roster = ['active', 'suspended'] as const

/** Everyone on the roster, or those whom the query names instead. */
export function listPersonnel(
  caller: Caller<'personnel.read'>,
  { sort, ...query }: PersonnelQuery,
): Listing<Person> {
  const filter = {
    statuses: query.status ?? roster,
    userIds: query.user_id ?? null,
    groupIds: query.group_id ?? null,
    managerIds: query.manager_user_id ?? null,
    title: query.title ?? null,
    department: query.department ?? null,
    q: query.q ?? null,
  }
  const order = sortOrder(sort)
  return listing(caller, {
    counter: filtersIn(query).length > 0 ? null : 'people',
    select: (snapshot, page) => selectRoster(snapshot, { filter, order, page }),
    count: (snapshot, max) => countRoster(snapshot, filter, max),
  })
}

export function viewPerson(caller: Caller<'personnel.read'>, userId: string): Promise<Person> {
  return caller.database.read(caller, (read) => findPerson(read, userId))
}

export function listPersonHistory(
  caller: Caller<'personnel.read'>,
  userId: string,
): Listing<HistoryEntry> {
  return listHistory(caller, {
    id: userId,
    shape: Person,
    refuseMissing: (snapshot) => findPerson(snapshot, userId),
  })
}

export function addPerson(caller: Caller<'personnel.manage'>, input: NewPerson): Promise<Person> {
  refuseContradictions(input)
  return caller.database.write(caller, async (write) => {
    await refuseOverQuota(write, 'people')
    refuseManager(await lockAll(write, [input.manager_user_id]), input.manager_user_id)
    const person = newPerson(input, { id: write.newId('usr'), now: write.now })
    claim(await holdersOf(write, [person]), person)
    return saveNewPerson(write, person, Object.keys(input))
  })
}

export function updatePerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  { metadata, ...patch }: PersonPatch,
): Promise<Person> {
  const { manager_user_id: managerId } = patch
  return caller.database.write(caller, async (write) => {
    if (managerId) await lockManagers(write)
    const people = await lockAll(write, [userId, managerId])
    const before = thePerson(people.get(userId), userId)
    refuseStale(caller, before)
    const after = patchOfPerson(before, {
      ...patch,
      ...(metadata && { metadata: mergedMetadata(before.metadata, metadata) }),
    })
    if (isSame(before, after)) return before
    refuseErased(before)
    refuseContradictions(after)
    if (after.manager_user_id !== before.manager_user_id) {
      refuseManager(people, managerId)
      refuseCycle(await chartWith(write, [after]), userId)
    }
    if (after.status !== 'departed') claim(await holdersOf(write, [after]), after)
    return savePerson(write, { before, after, type: 'person.updated' })
  })
}
