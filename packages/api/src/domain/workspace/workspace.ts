import type { Workspace, WorkspacePatch } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { differences, patched, refuseStale } from '#domain/change'
import { invalid } from '#domain/failure'
import type { Write } from '#storage/database'
import { askForSweep } from '#storage/sweeps'
import {
  knowsTimeZone,
  lockWorkspace,
  selectWorkspace,
  type StoredWorkspace,
  updateWorkspace,
} from '#storage/workspace'

export function viewWorkspace(caller: Caller<'workspace.read'>): Promise<Workspace> {
  return caller.database.read(caller, async (read) => presentWorkspace(await selectWorkspace(read)))
}

const writable = ['name', 'time_zone', 'policies'] as const

export function changeWorkspace(
  caller: Caller<'workspace.manage'>,
  { policies, ...patch }: WorkspacePatch,
): Promise<Workspace> {
  return caller.database.write(caller, async (write) => {
    const before = await lockWorkspace(write)
    refuseStale(caller, before)
    const told = presentWorkspace(before)
    const fields = patched(told, patch, { writable })
    const wanted = { ...told, ...fields, policies: { ...told.policies, ...policies } }
    const changed = differences(told, wanted)
    if (changed.length === 0) return told
    if (changed.includes('time_zone')) await moveTo(write, wanted.time_zone)
    const after = { ...wanted, status: before.status, updated_at: write.now, version: 0 }
    updateWorkspace(write, after)
    write.record({ type: 'workspace.updated', subject: told.id, changed })
    return presentWorkspace(after)
  })
}

/**
 * Its day begins at another hour, so what the last sweep found may hold no longer. A sweep that is
 * under way notices by the number of the projects that it has to be done again.
 */
async function moveTo(write: Write, timeZone: string): Promise<void> {
  if (!(await knowsTimeZone(write, timeZone))) {
    const detail = 'must be a name of the IANA time zone database, such as Europe/Stockholm'
    throw invalid({ pointer: '/time_zone', code: 'unknown_time_zone', detail })
  }
  askForSweep(write)
  write.touch('projects')
}

/** Whoever can see a workspace knows that it is not suspended. */
export function presentWorkspace(workspace: StoredWorkspace): Workspace {
  const { status: _, ...told } = workspace
  return told
}
