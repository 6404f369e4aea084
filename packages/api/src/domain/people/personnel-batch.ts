import { NewPerson, type Person, type PersonRow } from '@muster/contract'

import { recordIdentityChanges } from '#domain/auth/identity-holds'
import { type BatchRows, type BatchResult, applyRows } from '#domain/engine/batch'
import type { Caller } from '#domain/engine/caller'
import { isSame } from '#domain/engine/change'
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
import { type UniqueOwners, lockManagers, type StoredPerson } from '#storage/nouns/personnel'
import type { Write } from '#storage/statements/access'

interface BatchContext {
  readonly write: Write
  readonly people: LockedPeople
  readonly owners: UniqueOwners
  readonly lines: ReportingLines
}

/** Adds and updates people in one write. */
export function batchPersonnel(
  caller: Caller<'personnel.manage'>,
  batch: BatchRows<PersonRow>,
): Promise<BatchResult<Person>> {
  const { data: rows } = batch
  return caller.database.write(caller, async (write) => {
    if (rows.some(({ manager_user_id }) => manager_user_id)) await lockManagers(write)
    const ids = rows.flatMap(({ id, manager_user_id }) => [id, manager_user_id])
    const people = await lockPeopleById(write, ids)
    const owners = await findUniqueOwners(write, rows)
    const lines = await readReportingLines(write, rows)
    const context = { write, people, owners, lines }
    const { data, ...counts } = await applyRows<PersonRow, StoredPerson>(batch, {
      write,
      required: ['name'],
      lock: async (wanted) => wanted.flatMap((id) => people.get(id) ?? []),
      create: (row) => addFromRow(row, context),
      change: (before, row) => updateFromRow(before, row, context),
    })
    await refuseOverQuota(write, 'people', counts.created)
    const updated = data.flatMap((after) => {
      const before = people.get(after.id)
      return before ? [{ before, after }] : []
    })
    await recordIdentityChanges(write, caller, updated)
    return { data, count: data.length, ...counts }
  })
}

function addFromRow(row: PersonRow, { write, people, owners }: BatchContext): StoredPerson {
  // The cast holds because `applyRows` has checked the required fields.
  const input = pickProperties(row, NewPerson) as NewPerson
  refuseInvalidFields(input)
  refuseInvalidManager(people, input.manager_user_id)
  const person = buildPerson(input, { id: write.newId('usr'), now: write.now })
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
  const { write, people, owners, lines } = context
  const after = applyPersonPatch(before, row)
  if (isSame(before, after)) return before
  refuseErased(before)
  refuseInvalidFields(after)
  if (after.manager_user_id !== before.manager_user_id) {
    refuseInvalidManager(people, after.manager_user_id)
    refuseManagerCycle(lines, before.id)
  }
  if (after.status !== 'departed') reserveUniqueFields(owners, after)
  return savePerson(write, { before, after, type: 'person.updated' })
}
