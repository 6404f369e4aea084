import type { Person, PersonStatus } from '@muster/contract'

import { audit } from '#domain/auth/audit'
import { endEverySignIn } from '#domain/auth/end-sign-in'
import { refuseLastAdmin, refuseTakingAccess, returnPerson } from '#domain/auth/grants'
import { sessionList } from '#domain/auth/person-sessions'
import type { Caller } from '#domain/engine/caller'
import { invalidTransition, refuseStale } from '#domain/engine/change'
import { invalid } from '#domain/engine/failure'
import { refuseOverQuota } from '#domain/engine/quota'
import { lockPeopleById } from '#domain/roster/assignable'
import {
  reserveUniqueFields,
  findUniqueOwners,
  refuseErased,
  savePerson,
  requirePerson,
} from '#domain/roster/person'
import { overwriteHistory } from '#storage/derived/history'
import { eraseAuditEntries } from '#storage/nouns/audit'
import { endSignIns } from '#storage/nouns/credentials'
import { deleteHold } from '#storage/nouns/identity-holds'
import type { StoredPerson } from '#storage/nouns/personnel'
import { deleteVisit } from '#storage/nouns/visits'
import type { Read, Write } from '#storage/statements/access'
import { rewriteRecords } from '#storage/transaction/idempotency'

export interface StatusChange {
  readonly status_reason?: string | null
}

async function lockPerson(write: Write, caller: Caller<never>, userId: string) {
  const person = requirePerson((await lockPeopleById(write, [userId])).get(userId), userId)
  refuseStale(caller, person)
  return person
}

export const withStatus = (
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
    await refuseAccessLoss(write, caller, before)
    await endAccess(write, caller, { userId, type: 'person.suspended' })
    const after = withStatus(before, 'suspended', { input, now: write.now })
    return savePerson(write, { before, after, type: 'person.suspended' })
  })
}

/** Refuses to take the access of a person who may not lose it by this caller, or at all. */
export async function refuseAccessLoss(
  read: Read,
  caller: Caller<'personnel.manage'>,
  person: StoredPerson,
): Promise<void> {
  await refuseTakingAccess(read, caller, person)
  await refuseLastAdmin(read, (administrator) => administrator.userId === person.id)
}

interface AccessEnd {
  readonly userId: string
  readonly type: 'person.suspended' | 'person.departed'
  /** The reason in the audit log. */
  readonly auditReason?: string | null
}

/** Ends the sessions of a person; for good, if the person departs. */
export async function endAccess(
  write: Write,
  caller: Caller<'personnel.manage'>,
  { userId, type, auditReason = null }: AccessEnd,
): Promise<void> {
  const { data: sessions } = await sessionList(write, caller, userId)
  if (type === 'person.departed') await endEverySignIn(write, caller, userId)
  else endSignIns(write, userId)
  const reason = type.replace('.', '_')
  if (sessions.length > 0) audit(write, caller, { type: 'session.ended', userId, reason })
  audit(write, caller, { type, userId, reason: auditReason })
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
    const after = rejoined(before, write, input)
    reserveUniqueFields(await findUniqueOwners(write, [after]), after)
    return savePerson(write, { before, after, type: 'person.rejoined' })
  })
}

/** The person as active again. The departure set the last day, or it passed before. */
export function rejoined(
  person: StoredPerson,
  { now, today }: Pick<Write, 'now' | 'today'>,
  input: StatusChange = {},
): StoredPerson {
  const isOver = person.end_on !== null && person.end_on <= today
  return { ...withStatus(person, 'active', { input, now }), end_on: isOver ? null : person.end_on }
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
    deleteVisit(write, userId)
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
  const erased = 'user_id' in value && value.user_id === userId ? erasedIn(value) : null
  if (erased !== null) return { ...value, ...erased }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, redactPerson(each, userId)]),
  )
}

/** The fields to erase in a person, their planned departure or their session; null for others. */
function erasedIn(value: object): object | null {
  if ('phone' in value) return erasedFields
  if ('departs_on' in value) return { status_reason: null }
  return 'user_agent' in value ? { network: null, user_agent: null } : null
}
