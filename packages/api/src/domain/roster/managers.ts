import { Failure } from '#domain/engine/failure'
import { selectManagers } from '#storage/nouns/personnel'
import type { Read } from '#storage/statements/access'

import type { LockedPeople } from './assignable.ts'

/** The manager of each user id after the write: for changed people and their managers, upwards. */
export type ReportingLines = ReadonlyMap<string, string | null>

/** A requested manager. Undefined leaves the manager unchanged. */
export interface ManagerChange {
  readonly id?: string
  readonly manager_user_id?: string | null
}

/** The caller must hold the lock of `lockManagers`. */
export async function readReportingLines(
  read: Read,
  changes: readonly ManagerChange[],
): Promise<ReportingLines> {
  const managers = changes.map(({ manager_user_id }) => manager_user_id).filter((id) => !!id)
  const lines = await selectManagers(read, managers as string[])
  for (const { id, manager_user_id } of changes) {
    if (id !== undefined && manager_user_id !== undefined) lines.set(id, manager_user_id)
  }
  return lines
}

const pointer = '/manager_user_id'

/** A manager must be on the roster. */
export function refuseInvalidManager(
  people: LockedPeople,
  managerId: string | null | undefined,
): void {
  if (!managerId) return
  const manager = people.get(managerId)
  if (manager === undefined) {
    throw new Failure('unknown_reference', `There is no person ${managerId}.`, { pointer })
  }
  if (manager.status !== 'departed') return
  throw new Failure('not_on_roster', `${managerId} has departed.`, { pointer })
}

/** Reporting lines must not form a cycle. */
export function refuseManagerCycle(lines: ReportingLines, userId: string): void {
  const visited = new Set<string>()
  let managerId = lines.get(userId) ?? null
  while (managerId !== null && !visited.has(managerId)) {
    if (managerId === userId) {
      const detail = `${lines.get(userId)} reports to ${userId}, directly or through others.`
      throw new Failure('manager_cycle', detail, { pointer })
    }
    visited.add(managerId)
    managerId = lines.get(managerId) ?? null
  }
}
