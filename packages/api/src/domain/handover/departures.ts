/** Departures: at once, or planned and carried out by the sweeper. */

import { isDeepStrictEqual } from 'node:util'

import type {
  Departure,
  DepartPerson,
  PlannedDeparture,
  PlannedDepartureList,
  PlannedHandover,
} from '@muster/contract'
import { isGranted, limits } from '@muster/contract'

import { refuseTakingAccess, removeAccess } from '#domain/auth/grants'
import { refuseWithoutScope } from '#domain/auth/rights'
import type { Caller } from '#domain/engine/caller'
import { invalidTransition, refuseStale } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { leaveAllGroups } from '#domain/people/members'
import { endAccess, refuseAccessLoss, withStatus } from '#domain/people/person-lifecycle'
import { lockPeopleById } from '#domain/roster/assignable'
import { findPerson, requirePerson, savePerson } from '#domain/roster/person'
import type { AssignmentCounts } from '#storage/nouns/assignments'
import {
  cancelDeparture as deletePlan,
  countOtherDepartures,
  deleteDeparture,
  type Planner,
  selectDeparture,
  selectDepartures,
  type StoredDeparture,
  type StoredPlan,
  upsertDeparture,
} from '#storage/nouns/departures'
import { lockGroups } from '#storage/nouns/groups'
import type { StoredPerson } from '#storage/nouns/personnel'
import { instantOf, selectMoment } from '#storage/numbers/moment'
import type { Read, Write } from '#storage/statements/access'
import { View } from '#storage/statements/view'

import { countWork } from './assignments.ts'
import {
  countTransfer,
  prepareHandover,
  refuseInvalidHandover,
  successorsIn,
  type Transfer,
  transferWork,
} from './handover.ts'

type Manager = Caller<'personnel.manage'>

/** Departs at once, or plans the departure if `departs_on` is later than today. */
export async function departPerson(
  caller: Manager,
  userId: string,
  input: DepartPerson,
): Promise<Departure> {
  if (input.handover) {
    refuseWithoutScope(caller, 'projects.manage', 'handover')
    refuseInvalidHandover({ userId, input: input.handover, pointer: '/handover' })
  }
  const { departs_on = null } = input
  if (departs_on !== null && departs_on > (await readToday(caller))) {
    return planDeparture(caller, userId, { ...input, departs_on })
  }
  return caller.database.write(caller, (write) => depart(write, caller, { userId, input }))
}

/** A sweep begins 10 seconds after midnight, so a plan of the day before is stored by then. */
const readToday = (caller: Manager) =>
  caller.database.read(
    caller,
    async (read) => (await selectMoment(read, caller.database.givenTime)).today,
  )

interface DepartingPerson {
  readonly userId: string
  readonly input: DepartPerson
  /** When it was planned; null for a departure at once. */
  readonly plannedAt?: string | null
}

/**
 * Removes the person from the roster and from every group in one write. Assigning work takes a
 * share lock on the person, so the counts here are complete.
 */
export async function depart(
  write: Write,
  caller: Manager,
  { userId, input, plannedAt = null }: DepartingPerson,
): Promise<Departure> {
  const people = await lockPeopleById(write, peopleIn(userId, input))
  const before = requirePerson(people.get(userId), userId)
  refuseStale(caller, before)
  if (before.status === 'departed') return alreadyGone(write, caller, { before, input })
  const isLenient = plannedAt !== null
  const prepared = await prepare(write, caller, { before, people, input, isLenient })
  const { remaining, transfer } = prepared
  if (input.if_assigned === 'fail') refuseAssigned(userId, remaining)
  if (transfer) transferWork(write, transfer)
  const auditReason = plannedAt === null ? null : `planned ${plannedAt}`
  await endAccess(write, caller, { userId, type: 'person.departed', auditReason })
  await removeAccess(write, caller, before)
  const departed = withStatus(before, 'departed', { input, now: write.now })
  const end_on = lastDay(before, input, write.today)
  const after = { ...departed, group_ids: [], end_on }
  const person = savePerson(write, { before, after, type: 'person.departed' })
  await leaveAllGroups(write, before)
  deleteDeparture(write, userId)
  return { person, ...remaining, planned: null }
}

/** The person and the successors, in one lock: their order prevents deadlocks. */
export const peopleIn = (userId: string, { handover }: Pick<DepartPerson, 'handover'>) => [
  userId,
  ...(handover ? successorsIn(handover) : []),
]

interface Preparation {
  readonly before: StoredPerson
  readonly people: ReadonlyMap<string, StoredPerson>
  readonly input: DepartPerson
  readonly isLenient?: boolean
}

/** The checks of a departure, also of one that is planned. Locks groups, then projects and items. */
async function prepare(
  read: Read,
  caller: Manager,
  { before, people, input, isLenient = false }: Preparation,
) {
  const { id: userId, start_on, group_ids } = before
  const { handover, departs_on } = input
  if (departs_on !== undefined && start_on !== null && departs_on < start_on) {
    const detail = `must not be before start_on, which is ${start_on}`
    throw invalid({ pointer: '/departs_on', code: 'out_of_order', detail })
  }
  await refuseAccessLoss(read, caller, before)
  if (group_ids.length > 0) await lockGroups(read, group_ids)
  const given = handover && { userId, input: handover, people, pointer: '/handover', isLenient }
  const transfer = given ? await prepareHandover(read, given) : null
  return { transfer, remaining: await countRemaining(read, caller, { userId, transfer }) }
}

/** The work of a person that the caller may see, and whether there is other work. */
type Remaining = Pick<Departure, 'open_assignments' | 'elsewhere'>

const noWork: AssignmentCounts = { projects: 0, risks: 0, issues: 0, tasks: 0 }

/** The work that remains after the handover, which is not written yet. */
async function countRemaining(
  read: Read,
  { scopes, view }: Manager,
  { userId, transfer }: { readonly userId: string; readonly transfer: Transfer | null },
): Promise<Remaining> {
  const counted = await countWork(read, userId, View.all)
  const isReader = isGranted(scopes, 'projects.read')
  const inView = view.isAll ? counted : await countWork(read, userId, view)
  const visible = isReader ? inView : noWork
  const handed = transfer === null ? noWork : countTransfer(transfer)
  const open_assignments = without(visible, handed)
  return { open_assignments, elsewhere: !isDeepStrictEqual(counted, visible) }
}

const without = (counts: AssignmentCounts, handed: AssignmentCounts): AssignmentCounts => ({
  projects: counts.projects - handed.projects,
  risks: counts.risks - handed.risks,
  issues: counts.issues - handed.issues,
  tasks: counts.tasks - handed.tasks,
})

/** A last day that was set and has passed is kept. A person who never started has none. */
function lastDay(
  { start_on, end_on }: StoredPerson,
  { departs_on }: DepartPerson,
  today: string,
): string | null {
  if (departs_on !== undefined) return departs_on
  const day = end_on !== null && end_on < today ? end_on : today
  return start_on !== null && day < start_on ? null : day
}

/** Repeating a departure is a no-op. One with another day or with a handover is refused. */
async function alreadyGone(
  read: Read,
  caller: Manager,
  { before: person, input }: Pick<Preparation, 'before' | 'input'>,
): Promise<Departure> {
  const { handover, departs_on } = input
  if (handover || (departs_on !== undefined && departs_on !== person.end_on))
    throw hasDeparted(person)
  const remaining = await countRemaining(read, caller, { userId: person.id, transfer: null })
  return { person, ...remaining, planned: null }
}

const hasDeparted = ({ id, status: from }: StoredPerson) =>
  invalidTransition(
    `${id} has departed. Use POST …/reassign for the work, and PATCH for the last day.`,
    { from, to: 'departed', allowed: ['reassign', 'rejoin'] },
  )

/** Work that the caller may not see refuses a departure, too. */
function refuseAssigned(userId: string, { open_assignments, elsewhere }: Remaining): void {
  const assigned = Object.entries(open_assignments).filter(([, count]) => count > 0)
  if (assigned.length === 0 && !elsewhere) return
  const summary = assigned.map(
    ([what, count]) => `${count} ${count === 1 ? what.slice(0, -1) : what}`,
  )
  const hidden = elsewhere ? ['work that you may not see'] : []
  const detail = `${userId} still has ${[...summary, ...hidden].join(', ')}.`
  throw new Failure('has_open_assignments', detail, { open_assignments, elsewhere })
}

/**
 * Stores the plan after the checks of a departure. The write is unnumbered and has no event and no
 * audit entry: keys with `workspace.read` alone, and the person, may read those.
 */
function planDeparture(
  caller: Manager,
  userId: string,
  input: DepartPerson & Pick<PlannedDeparture, 'departs_on'>,
): Promise<Departure> {
  refuseOwnDeparture(caller, userId)
  return caller.database.writeUnnumbered(caller, async (read) => {
    const people = await lockPeopleById(read, peopleIn(userId, input))
    const person = requirePerson(people.get(userId), userId)
    refuseStale(caller, person)
    if (person.status === 'departed') throw hasDeparted(person)
    const { remaining } = await prepare(read, caller, { before: person, people, input })
    await refuseTooMany(read, userId)
    const { departs_on, status_reason = null, if_assigned = 'keep', handover = null } = input
    const planned: StoredPlan = {
      user_id: userId,
      departs_on,
      status_reason,
      if_assigned,
      planned_by: plannerOf(caller),
      planned_at: instantOf(await selectMoment(read, caller.database.givenTime)),
      refusal: null,
    }
    await upsertDeparture(read, { ...planned, handover })
    return { person, ...remaining, planned }
  })
}

/** Another person must plan it: whether one has is confidential. */
function refuseOwnDeparture({ actor }: Manager, userId: string): void {
  if (actor.user_id !== userId) return
  const detail = 'must be today or earlier: another person plans your departure'
  throw invalid({ pointer: '/departs_on', code: 'own_departure', detail })
}

function plannerOf({ actor: { type, id, user_id } }: Manager): Planner {
  if ((type === 'key' || type === 'person') && id !== null) return { type, id, user_id }
  throw new Error('Only a key or a person plans a departure.')
}

async function refuseTooMany(read: Read, userId: string): Promise<void> {
  const used = await countOtherDepartures(read, userId)
  const limit = limits.departuresMax
  if (used < limit) return
  const detail = `The workspace has ${used} of ${limit} planned departures.`
  throw new Failure('quota_exceeded', detail, { quota: 'departures', limit, used })
}

export const listDepartures = (caller: Manager): Promise<PlannedDepartureList> =>
  caller.database.read(caller, async (read) => {
    const plans = await selectDepartures(read)
    return { data: plans.filter(({ user_id }) => user_id !== caller.actor.user_id) }
  })

export const viewDeparture = (caller: Manager, userId: string): Promise<PlannedHandover> =>
  caller.database.read(caller, async (read) => {
    await findPerson(read, userId)
    return requirePlan(caller, userId, await selectDeparture(read, userId))
  })

/** The lock on the person orders it before or after the sweeper. */
export const cancelDeparture = (caller: Manager, userId: string): Promise<PlannedHandover> =>
  caller.database.writeUnnumbered(caller, async (read) => {
    const people = await lockPeopleById(read, [userId])
    const person = requirePerson(people.get(userId), userId)
    const plan = requirePlan(caller, userId, await selectDeparture(read, userId))
    await refuseTakingAccess(read, caller, person)
    await deletePlan(read, userId)
    return plan
  })

/** A person cannot learn of their own planned departure. */
function requirePlan(
  { actor }: Manager,
  userId: string,
  plan: StoredDeparture | null,
): StoredDeparture {
  if (plan !== null && actor.user_id !== userId) return plan
  throw new Failure('not_found', `No departure of ${userId} is planned.`)
}
