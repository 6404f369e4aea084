import type { Departure, Person, PersonStatus } from '@muster/contract'

import { lockAll } from '#domain/assignable'
import { openProjectStatuses } from '#domain/assignments'
import type { Caller } from '#domain/caller'
import { impossible, refuseStale } from '#domain/change'
import { Failure, invalid } from '#domain/failure'
import { leaveAllGroups } from '#domain/members'
import { claim, holdersOf, refuseErased, savePerson, thePerson } from '#domain/person'
import { refuseOverQuota } from '#domain/quota'
import { type AssignmentCounts, countAssignments } from '#storage/assignments'
import type { Write } from '#storage/database'
import { overwriteHistory } from '#storage/history'
import { rewriteRecords } from '#storage/idempotency'
import type { StoredPerson } from '#storage/personnel'

export interface StatusChange {
  readonly status_reason?: string | null
}

async function lockPerson(write: Write, caller: Caller<never>, userId: string) {
  const person = thePerson((await lockAll(write, [userId])).get(userId), userId)
  refuseStale(caller, person)
  return person
}

const withStatus = (
  person: StoredPerson,
  status: PersonStatus,
  { now, wish }: { readonly now: string; readonly wish: StatusChange },
): StoredPerson => ({
  ...person,
  status,
  status_reason: wish.status_reason ?? null,
  status_changed_at: now,
  assignable: status === 'active',
})

/** Suspending someone who is suspended changes nothing. */
export function suspendPerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  wish: StatusChange,
): Promise<Person> {
  return caller.database.write(caller, async (write) => {
    const before = await lockPerson(write, caller, userId)
    if (before.status === 'suspended') return before
    if (before.status === 'departed') throw hasLeft(before, 'suspended')
    const after = withStatus(before, 'suspended', { wish, now: write.now })
    return savePerson(write, { before, after, type: 'person.suspended' })
  })
}

/** Someone who is active stays so. */
export function resumePerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  wish: StatusChange,
): Promise<Person> {
  return caller.database.write(caller, async (write) => {
    const before = await lockPerson(write, caller, userId)
    if (before.status === 'active') return before
    if (before.status === 'departed') throw hasLeft(before, 'active')
    const after = withStatus(before, 'active', { wish, now: write.now })
    return savePerson(write, { before, after, type: 'person.resumed' })
  })
}

const hasLeft = ({ id, status: from }: StoredPerson, to: PersonStatus) =>
  impossible(`${id} has departed. POST …/rejoin brings them back.`, {
    from,
    to,
    allowed: ['rejoin'],
  })

export interface Departing extends StatusChange {
  readonly if_assigned?: 'keep' | 'fail'
}

/**
 * The person leaves the roster and every group, in one step. Whoever gives them work holds them
 * meanwhile, so what is counted here is all there is.
 */
export function departPerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  { if_assigned = 'keep', ...wish }: Departing,
): Promise<Departure> {
  return caller.database.write(caller, async (write) => {
    const before = await lockPerson(write, caller, userId)
    const open_assignments = await countAssignments(write, userId, openProjectStatuses)
    if (before.status === 'departed') return { person: before, open_assignments }
    if (if_assigned === 'fail') refuseAssigned(userId, open_assignments)
    const left = withStatus(before, 'departed', { wish, now: write.now })
    const after = { ...left, group_ids: [] }
    const person = savePerson(write, { before, after, type: 'person.departed' })
    await leaveAllGroups(write, before)
    return { person, open_assignments }
  })
}

function refuseAssigned(userId: string, counts: AssignmentCounts): void {
  const held = Object.entries(counts).filter(([, count]) => count > 0)
  if (held.length === 0) return
  const said = held.map(([what, count]) => `${count} ${count === 1 ? what.slice(0, -1) : what}`)
  throw new Failure('has_open_assignments', `${userId} still holds ${said.join(', ')}.`, {
    open_assignments: counts,
  })
}

/** Someone who is active stays so. */
export function rejoinPerson(
  caller: Caller<'personnel.manage'>,
  userId: string,
  wish: StatusChange,
): Promise<Person> {
  return caller.database.write(caller, async (write) => {
    const before = await lockPerson(write, caller, userId)
    const { status } = before
    if (status === 'active') return before
    if (status === 'suspended') {
      const detail = `${userId} is suspended and has not left. POST …/resume ends that.`
      throw impossible(detail, { from: status, to: 'active', allowed: ['resume'] })
    }
    refuseErased(before)
    await refuseOverQuota(write, 'people')
    const after = withStatus(before, 'active', { wish, now: write.now })
    claim(await holdersOf(write, [after]), after)
    return savePerson(write, { before, after, type: 'person.rejoined' })
  })
}

/** What is left of someone: the id, the status, and the dates. */
const blank = {
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

/** Erasing someone again changes nothing. */
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
      const detail = `${userId} is on the roster. Only someone who has departed can be erased.`
      throw impossible(detail, { from: before.status, to: 'erased', allowed: ['depart'] })
    }
    overwriteHistory(write, userId, blank)
    await rewriteRecords(write, userId, (result) => blanked(result, userId))
    const after = { ...before, ...blank, erased_at: write.now }
    return savePerson(write, { before, after, type: 'person.erased' })
  })
}

/** A result with nothing left of a person in it, wherever they are in it. */
function blanked(value: unknown, userId: string): unknown {
  if (Array.isArray(value)) return value.map((each) => blanked(each, userId))
  if (typeof value !== 'object' || value === null) return value
  if ('user_id' in value && value.user_id === userId && 'phone' in value) {
    return { ...value, ...blank }
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, blanked(each, userId)]),
  )
}
