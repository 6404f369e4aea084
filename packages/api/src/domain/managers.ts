import type { HeldPeople } from '#domain/assignable'
import { Failure } from '#domain/failure'
import type { Read } from '#storage/database'
import { selectManagers } from '#storage/personnel'

/** Who will report to whom when the write is done: those it changes, and all above them. */
export type Chart = ReadonlyMap<string, string | null>

/** A wish that someone reports to someone; nothing is wished where there is no manager. */
export interface Report {
  readonly id?: string
  readonly manager_user_id?: string | null
}

/** Whoever asks has locked who reports to whom. */
export async function chartWith(read: Read, wishes: readonly Report[]): Promise<Chart> {
  const managers = wishes.map(({ manager_user_id }) => manager_user_id).filter((id) => !!id)
  const chart = await selectManagers(read, managers as string[])
  for (const { id, manager_user_id } of wishes) {
    if (id !== undefined && manager_user_id !== undefined) chart.set(id, manager_user_id)
  }
  return chart
}

const pointer = '/manager_user_id'

/** A manager is someone on the roster. */
export function refuseManager(people: HeldPeople, managerId: string | null | undefined): void {
  if (!managerId) return
  const manager = people.get(managerId)
  if (manager === undefined) {
    const detail = `There is no person ${managerId} to be the manager.`
    throw new Failure('unknown_reference', detail, { pointer })
  }
  if (manager.status !== 'departed') return
  throw new Failure('not_on_roster', `${managerId} has departed.`, { pointer })
}

/** Nobody reports to someone who reports to them. */
export function refuseCycle(chart: Chart, userId: string): void {
  const passed = new Set<string>()
  let above = chart.get(userId) ?? null
  while (above !== null && !passed.has(above)) {
    if (above === userId) {
      const detail = `${chart.get(userId)} reports to ${userId}, directly or through others.`
      throw new Failure('manager_cycle', detail, { pointer })
    }
    passed.add(above)
    above = chart.get(above) ?? null
  }
}
