/** Planned departures whose day is over. */

import { problems } from '@muster/contract'

import { actingFor, withRightsNow } from '#domain/auth/planner'
import { refuseWithoutScope } from '#domain/auth/rights'
import { Failure } from '#domain/engine/failure'
import { lockPeopleById } from '#domain/roster/assignable'
import {
  lockDeparture,
  selectDeparture,
  type StoredDeparture,
  type StoredPlan,
  updateRefusal,
} from '#storage/nouns/departures'
import { instantOf, selectMoment } from '#storage/numbers/moment'
import type { Write } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'

import { depart, peopleIn } from './departures.ts'

/**
 * Carries out a planned departure with the present rights of its planner, in one write that also
 * ends the plan. So a crash leaves all or nothing, and a second process finds no plan. If the
 * departure is refused, the plan stays with the reason. Other errors are thrown, and the next sweep
 * tries again.
 */
export async function carryOutDeparture(
  database: Database,
  workspaceId: string,
  due: StoredPlan,
): Promise<void> {
  const acting = actingFor(database, workspaceId, due.planned_by)
  try {
    await database.write(acting, async (write) => {
      const plan = await lockDue(write, due)
      if (plan === null) return
      const { planned_by: planner, planned_at: plannedAt, user_id: userId } = plan
      const caller = await withRightsNow(write, acting, { now: write.now, planner })
      if (plan.handover) refuseWithoutScope(caller, 'projects.manage', 'The handover')
      await depart(write, caller, { userId, input: inputOf(plan), plannedAt })
    })
  } catch (error) {
    if (!(error instanceof Failure) || problems[error.problem].status >= 500) throw error
    const { problem: code, message } = error
    await database.writeUnnumbered({ workspaceId }, async (read) => {
      const refused_at = instantOf(await selectMoment(read, database.givenTime))
      await updateRefusal(read, due, { code, detail: message.slice(0, 1000), refused_at })
    })
  }
}

const inputOf = ({ departs_on, status_reason, if_assigned, handover }: StoredDeparture) => ({
  departs_on,
  status_reason,
  if_assigned,
  ...(handover && { handover }),
})

/**
 * Locks the people, and then the plan. Null if it was changed, cancelled or carried out meanwhile.
 */
async function lockDue(
  write: Write,
  { user_id: userId, planned_at }: StoredPlan,
): Promise<StoredDeparture | null> {
  const found = await selectDeparture(write, userId)
  if (found === null) return null
  const { handover } = found
  await lockPeopleById(write, peopleIn(userId, handover ? { handover } : {}))
  const plan = await lockDeparture(write, userId)
  const isDue = plan?.planned_at === planned_at && plan.departs_on < write.today
  return isDue && plan.refusal === null ? plan : null
}
