import assert from 'node:assert/strict'

import { NewPerson, type Person, type PersonRow } from '@muster/contract'

import { recordIdentityChanges } from '#domain/auth/identity-holds'
import {
  applyRows,
  type BatchResult,
  type BatchRows,
  idsIn,
  type PreparedRows,
  prepareRows,
  rowError,
} from '#domain/engine/batch'
import type { Caller } from '#domain/engine/caller'
import { isSame } from '#domain/engine/change'
import { matchRows } from '#domain/engine/matches'
import { pickProperties, readOnlyErrors, refuseErrors } from '#domain/engine/new-rows'
import { refuseOverQuota } from '#domain/engine/quota'
import { type LockedPeople, lockPeopleById } from '#domain/roster/assignable'
import {
  type ReportingLines,
  readReportingLines,
  refuseManagerCycle,
  refuseInvalidManager,
} from '#domain/roster/managers'
import {
  reserveUniqueFields,
  findUniqueOwners,
  buildPerson,
  applyPersonPatch,
  personAdvice,
  refuseInvalidFields,
  refuseErased,
  saveNewPerson,
  savePerson,
} from '#domain/roster/person'
import { References } from '#domain/roster/references'
import {
  emailKey,
  lockManagers,
  selectNamedPeople,
  type StoredPerson,
  type UniqueOwners,
} from '#storage/nouns/personnel'
import type { Write } from '#storage/statements/access'
import { StorageError } from '#storage/values/storage-error'

interface BatchContext {
  readonly write: Write
  readonly people: LockedPeople
  readonly owners: UniqueOwners
  readonly lines: ReportingLines
  /** The ids of the people whom the rows add. */
  readonly newIds: ReadonlyMap<PersonRow, string>
  readonly added: ReadonlySet<string>
}

/** Adds and updates people in one write. */
export function batchPersonnel(
  caller: Caller<'personnel.manage'>,
  batch: BatchRows<PersonRow>,
): Promise<BatchResult<Person>> {
  return caller.database.write(caller, async (write) => {
    if (batch.data.some(namesManager)) await lockManagers(write)
    const matched = await matchPeople(write, batch)
    const ids = matched.data.map(({ id }) => (id === undefined ? write.newId('usr') : null))
    const references = await References.find(write, {
      stem: 'manager',
      rows: matched.data,
      added: new Map(
        matched.data.flatMap(({ external_id }, index) => entryOf(external_id, ids[index])),
      ),
    })
    const userIds = [...idsIn(matched), ...references.userIdsIn(matched.data)]
    const people = await lockPeopleById(write, userIds)
    refuseMatchMoved(people, batch, matched)
    references.refuseMoved(people)
    const rows = prepareRows(matched, (row) =>
      references.resolve(row, people.get(row.id ?? '')?.manager_user_id),
    )
    const newIds = new Map(rows.data.flatMap((row, index) => entryOf(row, ids[index])))
    const owners = await findUniqueOwners(write, rows.data)
    const lines = await readReportingLines(
      write,
      rows.data.map((row) => withIdOf(row, newIds)),
    )
    const added = new Set(newIds.values())
    const context = { write, people, owners, lines, newIds, added }
    const { data, ...counts } = await applyRows<PersonRow, StoredPerson>(rows, {
      write,
      required: ['name'],
      existing: people,
      create: (row) => addFromRow(row, context),
      change: (before, row) => updateFromRow(before, row, context),
    })
    await refuseOverQuota(write, 'people', counts.created)
    const updated = data.flatMap((after) => {
      const before = people.get(after.id)
      return before ? [{ before, after }] : []
    })
    await recordIdentityChanges(write, caller, updated)
    return { data, ...counts }
  })
}

const namesManager = (row: PersonRow) =>
  Boolean(row.manager_user_id ?? row.manager_email ?? row.manager_external_id)

/** Finds the people of rows without an id: on the roster, and by external id who left, too. */
async function matchPeople(write: Write, batch: BatchRows<PersonRow>) {
  const isEmail = batch.match === 'email'
  const departed = new Set<string>()
  const matched = await matchRows(batch, {
    keyOf: isEmail ? emailKey : String,
    async find(keys) {
      const asked = isEmail ? { emails: keys } : { externalIds: keys }
      const named = await selectNamedPeople(write, { emails: [], externalIds: [], ...asked })
      const found = named.filter(({ isOnRoster }) => isOnRoster || !isEmail)
      for (const { id, isOnRoster } of found) if (!isOnRoster) departed.add(id)
      return new Map(found.toReversed().map(({ id, key }) => [key, id]))
    },
  })
  return prepareRows(matched, (row, index) => {
    const { id = '' } = row
    const isMatched = batch.data[index]?.id === undefined
    if (!isMatched || !departed.has(id)) return row
    throw rowError('/external_id', 'departed', `is that of ${id}, who has left`)
  })
}

/** Starts the write again if a matched person has another email or external id since. */
function refuseMatchMoved(
  people: LockedPeople,
  { data, match }: BatchRows<PersonRow>,
  matched: PreparedRows<PersonRow>,
): void {
  for (const [index, { id, email, external_id }] of matched.data.entries()) {
    if (match === undefined || id === undefined || data[index]?.id !== undefined) continue
    const person = people.get(id)
    const isSamePerson =
      match === 'email'
        ? emailKey(person?.email ?? '') === emailKey(email ?? '')
        : person?.external_id === external_id
    if (!isSamePerson) throw new StorageError('lost_race')
  }
}

const entryOf = <K>(key: K | null | undefined, id: string | null | undefined): [K, string][] =>
  key && id ? [[key, id]] : []

const withIdOf = (row: PersonRow, newIds: BatchContext['newIds']): PersonRow => {
  const id = row.id ?? newIds.get(row)
  return id === undefined ? row : { ...row, id }
}

function addFromRow(row: PersonRow, context: BatchContext): StoredPerson {
  const { write, owners, newIds } = context
  // The cast holds because `applyRows` has checked the required fields.
  const input = pickProperties(row, NewPerson) as NewPerson
  const id = newIds.get(row)
  assert(id, 'a new row has an id')
  refuseInvalidFields(input)
  refuseManager(context, { id, managerId: input.manager_user_id })
  const person = buildPerson(input, { id, now: write.now })
  refuseOtherPerson(row, person)
  reserveUniqueFields(owners, person)
  return saveNewPerson(write, person, Object.keys(input))
}

function refuseOtherPerson({ status = 'active', ...row }: PersonRow, person: StoredPerson): void {
  const { created_at: now } = person
  const detail = 'must be active for a new person'
  refuseErrors([
    ...(status === 'active' ? [] : [{ pointer: '/status', code: 'not_allowed', detail }]),
    ...readOnlyErrors(row, { schema: NewPerson, record: person, advice: personAdvice, now }),
  ])
}

function updateFromRow(before: StoredPerson, row: PersonRow, context: BatchContext): StoredPerson {
  const { write, owners } = context
  const after = applyPersonPatch(before, row)
  if (isSame(before, after)) return before
  refuseErased(before)
  refuseInvalidFields(after)
  if (after.manager_user_id !== before.manager_user_id) {
    refuseManager(context, { id: before.id, managerId: after.manager_user_id })
  }
  if (after.status !== 'departed') reserveUniqueFields(owners, after)
  return savePerson(write, { before, after, type: 'person.updated' })
}

interface Line {
  readonly id: string
  readonly managerId: string | null | undefined
}

/** A manager is on the roster, or is added by another row. */
function refuseManager({ people, lines, added }: BatchContext, { id, managerId }: Line): void {
  if (!added.has(managerId ?? '')) refuseInvalidManager(people, managerId)
  refuseManagerCycle(lines, id)
}
