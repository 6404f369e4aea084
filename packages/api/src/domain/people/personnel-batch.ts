import assert from 'node:assert/strict'

import { limits, NewPerson, type Person, type PersonRow } from '@muster/contract'

import { returnPerson } from '#domain/auth/grants'
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
import { Failure } from '#domain/engine/failure'
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
  selectPeopleWithout,
  type StoredPerson,
  type UniqueOwners,
} from '#storage/nouns/personnel'
import type { Write } from '#storage/statements/access'
import { StorageError } from '#storage/values/storage-error'

import { rejoined } from './person-lifecycle.ts'

interface BatchContext {
  readonly write: Write
  readonly people: LockedPeople
  readonly owners: UniqueOwners
  readonly lines: ReportingLines
  /** The ids of the people whom the rows add. */
  readonly newIds: ReadonlyMap<PersonRow, string>
  /** The ids of all whom the rows add or reinstate. */
  readonly joining: ReadonlySet<string>
  /** The ids of those who left and come back. */
  readonly returning: ReadonlySet<string>
}

/** The rows of a batch of people, and what its parameters say about those who left or are missing. */
export interface PeopleBatch extends BatchRows<PersonRow> {
  /** Whether a row reinstates a person who has left. */
  readonly rejoin?: boolean | undefined
  /** People on the roster without a row; undefined if they do not matter. */
  readonly missing?: { readonly prefix: string; readonly max: number | null } | undefined
}

interface PeopleResult extends BatchResult<Person, 'changed' | 'rejoined'> {
  /** A replay of a result that the previous release stored has neither. */
  readonly rejoined?: number
  /** As they were before. */
  readonly missing?: Person[]
}

/** Adds, updates and reinstates people in one write. */
export function batchPersonnel(
  caller: Caller<'personnel.manage'>,
  batch: PeopleBatch,
): Promise<PeopleResult> {
  return caller.database.write(caller, async (write) => {
    if (batch.data.some(namesManager)) await lockManagers(write)
    const { matched, returning } = await matchPeople(write, batch)
    const missing = await findMissing(write, batch, idsIn(matched))
    const ids = matched.data.map(({ id }) => (id === undefined ? write.newId('usr') : null))
    const references = await References.find(write, {
      stem: 'manager',
      rows: matched.data,
      joining: new Map(
        matched.data.flatMap(({ id = '', external_id }, index) =>
          entryOf(external_id, ids[index] ?? (returning.has(id) ? id : null)),
        ),
      ),
    })
    const userIds = [...idsIn(matched), ...references.userIdsIn(matched.data)]
    const people = await lockPeopleById(write, userIds)
    refuseMatchMoved(people, batch, matched)
    references.refuseMoved(people)
    const storedIn = ({ id = '' }: PersonRow) => people.get(id)?.manager_user_id
    const named = await references.resolve(write, matched, storedIn)
    const back = [...returning].flatMap((id) => people.get(id) ?? [])
    const rows = await returnPeople(write, caller, { rows: named, people: back })
    const newIds = new Map(rows.data.flatMap((row, index) => entryOf(row, ids[index])))
    const owners = await findUniqueOwners(write, [...rows.data, ...back])
    const lines = await readReportingLines(
      write,
      rows.data.map((row) => withIdOf(row, newIds)),
    )
    const joining = new Set([...newIds.values(), ...returning])
    const context = { write, people, owners, lines, newIds, joining, returning }
    const { data, ...counts } = await applyRows<PersonRow, StoredPerson, 'changed' | 'rejoined'>(
      rows,
      {
        write,
        required: ['name'],
        existing: people,
        create: (row) => addFromRow(row, context),
        change: (before, row) => updateFromRow(before, row, context),
        outcomeFor: ({ id }) => (returning.has(id) ? 'rejoined' : 'changed'),
      },
    )
    await refuseOverQuota(write, 'people', counts.created + back.length)
    const updated = data.flatMap((after) => {
      const before = people.get(after.id)
      return before ? [{ before, after }] : []
    })
    await recordIdentityChanges(write, caller, updated)
    return { data, ...counts, rejoined: back.length, missing }
  })
}

const namesManager = (row: PersonRow) =>
  Boolean(row.manager_user_id ?? row.manager_email ?? row.manager_external_id)

/** Finds the people of rows without an id: on the roster, and by external id who left, too. */
async function matchPeople(write: Write, batch: PeopleBatch) {
  const isEmail = batch.match === 'email'
  const departed = new Set<string>()
  const returning = new Set<string>()
  const matched = await matchRows(batch, {
    keyOf: isEmail ? emailKey : String,
    async find(keys) {
      const asked = isEmail ? { emails: keys } : { externalIds: keys }
      const known = await selectNamedPeople(write, { emails: [], externalIds: [], ...asked })
      const found = known.filter(({ isOnRoster }) => isOnRoster || !isEmail)
      for (const { id, isOnRoster } of found) if (!isOnRoster) departed.add(id)
      return new Map(found.toReversed().map(({ id, key }) => [key, id]))
    },
  })
  const checked = prepareRows(matched, (row, index) => {
    const { id = '' } = row
    const isMatched = batch.data[index]?.id === undefined
    if (!isMatched || !departed.has(id)) return row
    if (batch.rejoin) {
      returning.add(id)
      return row
    }
    const detail = `is that of ${id}, who has left. Send rejoin=true to reinstate this person`
    throw rowError('/external_id', 'departed', detail)
  })
  return { matched: checked, returning }
}

/** The people on the roster who have an external id and no row. */
async function findMissing(
  write: Write,
  { missing }: PeopleBatch,
  present: readonly string[],
): Promise<Person[]> {
  if (missing === undefined) return []
  const { prefix, max } = missing
  const found = await selectPeopleWithout(write, { prefix, present, limit: limits.itemsMax + 1 })
  if (max !== null && found.length > max) {
    const count = found.length > limits.itemsMax ? `More than ${limits.itemsMax}` : found.length
    const detail = `${count} people have no row; missing_max allows ${max}.`
    throw new Failure('too_many_missing', detail, { missing_max: max })
  }
  return found.slice(0, limits.itemsMax)
}

interface Returning {
  readonly rows: PreparedRows<PersonRow>
  readonly people: readonly StoredPerson[]
}

/** The caller needs the rights that a person gets back. A refusal is an error of the row. */
async function returnPeople(
  write: Write,
  caller: Caller<'personnel.manage'>,
  { rows, people }: Returning,
): Promise<PreparedRows<PersonRow>> {
  const refused = new Map(rows.refused)
  for (const person of people) {
    try {
      await returnPerson(write, caller, { person, type: 'person.rejoined' })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      refused.set(
        rows.data.findIndex(({ id }) => id === person.id),
        error,
      )
    }
  }
  return { ...rows, refused }
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
  const { write, owners, returning } = context
  const isReturning = returning.has(before.id)
  const present = isReturning ? rejoined(before, write) : before
  const after = applyPersonPatch(present, row)
  if (isSame(before, after)) return before
  refuseErased(before)
  refuseInvalidFields(after)
  if (after.manager_user_id !== before.manager_user_id) {
    refuseManager(context, { id: before.id, managerId: after.manager_user_id })
  }
  if (after.status !== 'departed') reserveUniqueFields(owners, after)
  const type = isReturning ? 'person.rejoined' : 'person.updated'
  return savePerson(write, { before, after, type })
}

interface Line {
  readonly id: string
  readonly managerId: string | null | undefined
}

/** A manager is on the roster, or another row adds or reinstates them. */
function refuseManager({ people, lines, joining }: BatchContext, { id, managerId }: Line): void {
  if (!joining.has(managerId ?? '')) refuseInvalidManager(people, managerId)
  refuseManagerCycle(lines, id)
}
