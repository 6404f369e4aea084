import type { Departure, Person, PersonStatus } from '@muster/contract'

import { audit } from '#domain/auth/audit'
import type { Caller } from '#domain/auth/caller'
import { endEverySignIn } from '#domain/auth/end-sign-in'
import {
  refuseLastAdmin,
  refuseTakingAccess,
  removeAccess,
  returnPerson,
} from '#domain/auth/grants'
import { sessionList } from '#domain/auth/person-sessions'
import { invalidTransition, refuseStale } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { refuseOverQuota } from '#domain/engine/quota'
import { overwriteHistory } from '#storage/derived/history'
import type { Write } from '#storage/engine/access'
import { rewriteRecords } from '#storage/engine/idempotency'
import { type AssignmentCounts, countAssignments } from '#storage/nouns/assignments'
import { eraseAuditEntries } from '#storage/nouns/audit'
import { endSignIns } from '#storage/nouns/credentials'
import { deleteHold } from '#storage/nouns/identity-holds'
import type { StoredPerson } from '#storage/nouns/personnel'

import { lockPeopleById } from './assignable.ts'
import { openProjectStatuses } from './assignments.ts'
import { leaveAllGroups } from './members.ts'
import {
  reserveUniqueFields,
  findUniqueOwners,
  refuseErased,
  savePerson,
  requirePerson,
} from './person.ts'

export interface StatusChange {
  readonly status_reason?: string | null
}

async function lockPerson(write: Write, caller: Caller<never>, userId: string) {
  const person = requirePerson((await lockPeopleById(write, [userId])).get(userId), userId)
  refuseStale(caller, person)
  return person
}

const withStatus = (
  person: StoredPerson,
  status: PersonStatus,
  { now, input }: { readonly now: string; readonly input: StatusChange },
): StoredPerson => ({
  ...person,
  status,
  status_reason: input.status_reason ?? null,
  status_changed_at: now,
  assignable: status === 'active',
})

/** Suspending a suspended person is a no-op. */
export function suspendPerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  input: StatusChange,
): Promise<Person> {
  return caller.database.write(caller, async (write) => {
    const before = await lockPerson(write, caller, userId)
    if (before.status === 'suspended') return before
    if (before.status === 'departed') throw alreadyDeparted(before, 'suspended')
    await takeAccess(write, caller, { person: before, type: 'person.suspended' })
    const after = withStatus(before, 'suspended', { input, now: write.now })
    return savePerson(write, { before, after, type: 'person.suspended' })
  })
}

interface Taking {
  readonly person: StoredPerson
  readonly type: 'person.suspended' | 'person.departed'
}

/** Ends the sessions of a person; for good, if the person departs. */
async function takeAccess(
  write: Write,
  caller: Caller<'personnel.manage'>,
  { person, type }: Taking,
): Promise<void> {
  const { id: userId } = person
  await refuseTakingAccess(write, caller, person)
  await refuseLastAdmin(write, (administrator) => administrator.userId === userId)
  const { data: sessions } = await sessionList(write, caller, userId)
  if (type === 'person.departed') await endEverySignIn(write, caller, userId)
  else endSignIns(write, userId)
  const reason = type.replace('.', '_')
  if (sessions.length > 0) audit(write, caller, { type: 'session.ended', userId, reason })
  audit(write, caller, { type, userId })
}

/** Resuming an active person is a no-op. */
export function resumePerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  input: StatusChange,
): Promise<Person> {
  return caller.database.write(caller, async (write) => {
    const before = await lockPerson(write, caller, userId)
    if (before.status === 'active') return before
    if (before.status === 'departed') throw alreadyDeparted(before, 'active')
    await returnPerson(write, caller, { person: before, type: 'person.resumed' })
    const after = withStatus(before, 'active', { input, now: write.now })
    return savePerson(write, { before, after, type: 'person.resumed' })
  })
}

const alreadyDeparted = ({ id, status: from }: StoredPerson, to: PersonStatus) =>
  invalidTransition(`${id} has departed. Use POST …/rejoin first.`, {
    from,
    to,
    allowed: ['rejoin'],
  })

export interface DepartInput extends StatusChange {
  readonly if_assigned?: 'keep' | 'fail'
}

/**
 * Removes the person from the roster and from every group in one write. Assigning work takes a
 * share lock on the person, so the counts here are complete.
 */
export function departPerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  { if_assigned = 'keep', ...input }: DepartInput,
): Promise<Departure> {
  return caller.database.write(caller, async (write) => {
    const before = await lockPerson(write, caller, userId)
    const open_assignments = await countAssignments(write, userId, openProjectStatuses)
    if (before.status === 'departed') return { person: before, open_assignments }
    if (if_assigned === 'fail') refuseAssigned(userId, open_assignments)
    await takeAccess(write, caller, { person: before, type: 'person.departed' })
    await removeAccess(write, caller, before)
    const departed = withStatus(before, 'departed', { input, now: write.now })
    const after = { ...departed, group_ids: [] }
    const person = savePerson(write, { before, after, type: 'person.departed' })
    await leaveAllGroups(write, before)
    return { person, open_assignments }
  })
}

function refuseAssigned(userId: string, counts: AssignmentCounts): void {
  const assigned = Object.entries(counts).filter(([, count]) => count > 0)
  if (assigned.length === 0) return
  const summary = assigned.map(
    ([what, count]) => `${count} ${count === 1 ? what.slice(0, -1) : what}`,
  )
  throw new Failure('has_open_assignments', `${userId} still has ${summary.join(', ')}.`, {
    open_assignments: counts,
  })
}

/** Rejoining an active person is a no-op. */
export function rejoinPerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  input: StatusChange,
): Promise<Person> {
  return caller.database.write(caller, async (write) => {
    const before = await lockPerson(write, caller, userId)
    const { status } = before
    if (status === 'active') return before
    if (status === 'suspended') {
      const detail = `${userId} is suspended, not departed. Use POST …/resume.`
      throw invalidTransition(detail, { from: status, to: 'active', allowed: ['resume'] })
    }
    refuseErased(before)
    await returnPerson(write, caller, { person: before, type: 'person.rejoined' })
    await refuseOverQuota(write, 'people')
    const after = withStatus(before, 'active', { input, now: write.now })
    reserveUniqueFields(await findUniqueOwners(write, [after]), after)
    return savePerson(write, { before, after, type: 'person.rejoined' })
  })
}

/** Erasure keeps only the id, the status and the dates. */
const erasedFields = {
  name: 'Erased person',
  email: null,
  phone: null,
  title: null,
  department: null,
  external_id: null,
  manager_user_id: null,
  time_zone: null,
  status_reason: null,
  metadata: {},
} as const satisfies Partial<Person>

/** Erasing an erased person is a no-op. */
export function erasePerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  { confirm }: { readonly confirm: string },
): Promise<Person> {
  return caller.database.write(caller, async (write) => {
    const before = await lockPerson(write, caller, userId)
    if (confirm !== userId) {
      const detail = 'must be the user id of the person'
      throw invalid({ pointer: '/confirm', code: 'mismatch', detail })
    }
    if (before.erased_at !== null) return before
    if (before.status !== 'departed') {
      const detail = `${userId} is on the roster. Only a departed person can be erased.`
      throw invalidTransition(detail, { from: before.status, to: 'erased', allowed: ['depart'] })
    }
    overwriteHistory(write, userId, erasedFields)
    eraseAuditEntries(write, userId)
    deleteHold(write, userId)
    await rewriteRecords(write, userId, (result) => redactPerson(result, userId))
    audit(write, caller, { type: 'person.erased', userId })
    const after = { ...before, ...erasedFields, erased_at: write.now }
    return savePerson(write, { before, after, type: 'person.erased' })
  })
}

/** Erases a person from a stored result, at any depth. */
function redactPerson(value: unknown, userId: string): unknown {
  if (Array.isArray(value)) return value.map((each) => redactPerson(each, userId))
  if (typeof value !== 'object' || value === null) return value
  if ('user_id' in value && value.user_id === userId && 'phone' in value) {
    return { ...value, ...erasedFields }
  }
  if ('user_id' in value && value.user_id === userId && 'user_agent' in value) {
    return { ...value, network: null, user_agent: null }
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, redactPerson(each, userId)]),
  )
}
