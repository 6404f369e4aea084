import { NewPerson, type Person, type PersonRow } from '@muster/contract'

import { type HeldPeople, lockAll } from '#domain/assignable'
import { type BatchResult, givenOf, takeRows } from '#domain/batch'
import type { Caller } from '#domain/caller'
import { isSame } from '#domain/change'
import { invalid } from '#domain/failure'
import { type Chart, chartWith, refuseCycle, refuseManager } from '#domain/managers'
import {
  claim,
  holdersOf,
  newPerson,
  patchOfPerson,
  refuseContradictions,
  refuseErased,
  saveNewPerson,
  savePerson,
} from '#domain/person'
import { refuseOverQuota } from '#domain/quota'
import type { Write } from '#storage/database'
import { type Holders, lockManagers, type StoredPerson } from '#storage/personnel'

interface HeldRows {
  readonly write: Write
  readonly people: HeldPeople
  readonly holders: Holders
  readonly chart: Chart
}

/** Adds and changes many people, as one numbered step. */
export function batchPersonnel(
  caller: Caller<'personnel.manage'>,
  rows: readonly PersonRow[],
): Promise<BatchResult<Person>> {
  return caller.database.write(caller, async (write) => {
    if (rows.some(({ manager_user_id }) => manager_user_id)) await lockManagers(write)
    const ids = rows.flatMap(({ id, manager_user_id }) => [id, manager_user_id])
    const people = await lockAll(write, ids)
    const holders = await holdersOf(write, rows)
    const chart = await chartWith(write, rows)
    const held = { write, people, holders, chart }
    const { data, ...counts } = await takeRows<PersonRow, StoredPerson>(rows, {
      required: ['name'],
      lock: async (wanted) => wanted.flatMap((id) => people.get(id) ?? []),
      create: (row) => addByRow(row, held),
      change: (before, row) => changeByRow(before, row, held),
    })
    await refuseOverQuota(write, 'people', counts.created)
    return { data, count: data.length, ...counts }
  })
}

function addByRow(row: PersonRow, { write, people, holders }: HeldRows): StoredPerson {
  if ((row.status ?? 'active') !== 'active') {
    const detail = 'must be active for someone who is new'
    throw invalid({ pointer: '/status', code: 'not_allowed', detail })
  }
  // The cast holds because what is required has been found to be there.
  const input = givenOf(row, NewPerson) as NewPerson
  refuseContradictions(input)
  refuseManager(people, input.manager_user_id)
  const person = newPerson(input, { id: write.newId('usr'), now: write.now })
  claim(holders, person)
  return saveNewPerson(write, person, Object.keys(input))
}

function changeByRow(before: StoredPerson, row: PersonRow, held: HeldRows): StoredPerson {
  const { write, people, holders, chart } = held
  const after = patchOfPerson(before, row)
  if (isSame(before, after)) return before
  refuseErased(before)
  refuseContradictions(after)
  if (after.manager_user_id !== before.manager_user_id) {
    refuseManager(people, after.manager_user_id)
    refuseCycle(chart, before.id)
  }
  if (after.status !== 'departed') claim(holders, after)
  return savePerson(write, { before, after, type: 'person.updated' })
}
