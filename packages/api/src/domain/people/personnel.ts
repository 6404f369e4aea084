import {
  type HistoryEntry,
  type NewPerson,
  type Operations,
  Person,
  type PersonPatch,
  type QueryOf,
} from '@muster/contract'

import { audit } from '#domain/auth/audit'
import { endEverySignIn } from '#domain/auth/end-sign-in'
import { refusePersonBeyondRights } from '#domain/auth/grants'
import { recordIdentityChanges } from '#domain/auth/identity-holds'
import { type Caller, personOf } from '#domain/engine/caller'
import { isSame, mergedMetadata, refuseStale } from '#domain/engine/change'
import { type HistoryQuery, listHistory } from '#domain/engine/history'
import { filtersIn, type Listing, listingOf } from '#domain/engine/listing'
import { refuseOverQuota } from '#domain/engine/quota'
import { lockPeopleById } from '#domain/roster/assignable'
import {
  readReportingLines,
  refuseManagerCycle,
  refuseInvalidManager,
} from '#domain/roster/managers'
import {
  reserveUniqueFields,
  findPerson,
  findUniqueOwners,
  buildPerson,
  applyPersonPatch,
  refuseInvalidFields,
  refuseErased,
  saveNewPerson,
  savePerson,
  requirePerson,
} from '#domain/roster/person'
import { sortOrder } from '#domain/rules/sort'
import { lockManagers, type StoredPerson, upsertPerson } from '#storage/nouns/personnel'
import { rosterList } from '#storage/nouns/roster'
import type { Write } from '#storage/statements/access'

export type PersonnelQuery = QueryOf<Operations['personnel']['list']>

const roster = ['active', 'suspended'] as const

/** Lists people: active and suspended ones, unless the query filters by status. */
export function listPersonnel(
  caller: Caller<'personnel.read'>,
  { sort, ...query }: PersonnelQuery,
): Listing<Person> {
  const filter = {
    statuses: query.status ?? roster,
    userIds: query.user_id ?? null,
    emails: query.email ?? null,
    externalIds: query.external_id ?? null,
    groupIds: query.group_id ?? null,
    managerIds: query.manager_user_id ?? null,
    title: query.title ?? null,
    department: query.department ?? null,
    q: query.q ?? null,
  }
  const order = sortOrder(sort)
  return listingOf(caller, {
    counter: filtersIn(query).length > 0 ? null : 'people',
    list: rosterList(filter, order, sort),
    present: (people) => people,
    item: (person) => person,
  })
}

export function viewPerson(caller: Caller<'personnel.read'>, userId: string): Promise<Person> {
  return caller.database.read(caller, (read) => findPerson(read, userId))
}

/** The person who is signed in, or whose personal key it is. */
export function viewMe(caller: Caller<'person'>): Promise<Person> {
  const userId = personOf(caller)
  return caller.database.read(caller, (read) => findPerson(read, userId))
}

export function listPersonHistory(
  caller: Caller<'personnel.read'>,
  userId: string,
  query: HistoryQuery,
): Listing<HistoryEntry> {
  return listHistory(caller, {
    ...query,
    id: userId,
    shape: Person,
    refuseMissing: (snapshot) => findPerson(snapshot, userId),
  })
}

export function addPerson(caller: Caller<'personnel.manage'>, input: NewPerson): Promise<Person> {
  refuseInvalidFields(input)
  return caller.database.write(caller, async (write) => {
    await refuseOverQuota(write, 'people')
    refuseInvalidManager(
      await lockPeopleById(write, [input.manager_user_id]),
      input.manager_user_id,
    )
    const person = buildPerson(input, { id: write.newId('usr'), now: write.now })
    reserveUniqueFields(await findUniqueOwners(write, [person]), person)
    return saveNewPerson(write, person, Object.keys(input))
  })
}

interface PersonUpdate {
  readonly userId: string
  readonly end_sign_in?: boolean
}

/** Ends the sign-in of the person only on request: a change of the identity does not. */
export function updatePerson(
  caller: Caller<'personnel.manage'>,
  { userId, end_sign_in = false }: PersonUpdate,
  { metadata, ...patch }: PersonPatch,
): Promise<Person> {
  const { manager_user_id: managerId } = patch
  return caller.database.write(caller, async (write) => {
    if (managerId) await lockManagers(write)
    const people = await lockPeopleById(write, [userId, managerId])
    const before = requirePerson(people.get(userId), userId)
    refuseStale(caller, before)
    const after = applyPersonPatch(before, {
      ...patch,
      ...(metadata && { metadata: mergedMetadata(before.metadata, metadata) }),
    })
    if (end_sign_in) await endSignInOf(write, caller, before)
    if (isSame(before, after)) return end_sign_in ? saveAgain(write, before) : before
    refuseErased(before)
    refuseInvalidFields(after)
    if (after.manager_user_id !== before.manager_user_id) {
      refuseInvalidManager(people, managerId)
      refuseManagerCycle(await readReportingLines(write, [after]), userId)
    }
    if (after.status !== 'departed')
      reserveUniqueFields(await findUniqueOwners(write, [after]), after)
    await recordIdentityChanges(write, caller, [{ before, after }])
    return savePerson(write, { before, after, type: 'person.updated' })
  })
}

async function endSignInOf(
  write: Write,
  caller: Caller<'personnel.manage'>,
  person: StoredPerson,
): Promise<void> {
  await refusePersonBeyondRights(write, caller, person)
  await endEverySignIn(write, caller, person.id)
  audit(write, caller, { type: 'identity.removed', userId: person.id, reason: 'sign_in_ended' })
}

/** A write records an event, also if only the sign-in of the person has changed. */
function saveAgain(write: Write, person: StoredPerson): StoredPerson {
  const after = { ...person, version: 0, updated_at: write.now }
  upsertPerson(write, person, after)
  write.record({ type: 'person.updated', subject: person.id, changed: [] })
  return after
}
