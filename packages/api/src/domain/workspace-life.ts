import assert from 'node:assert/strict'

import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import type { Database } from '#storage/database'
import {
  clearSome,
  deleteSome,
  deleteWorkspace,
  endWriting,
  hasCounters,
  lockForRemoval,
  selectTenantTables,
  type TenantTable,
} from '#storage/removal'
import { lockWorkspace, updateStatus } from '#storage/workspace'

/** From the next request on nobody is let in. Whether that is new. */
export const suspendWorkspace = (caller: Caller<'workspace.manage'>) =>
  turn(caller, 'suspended', 'workspace.suspended')

/** Everyone is let in again who was before. Whether that is new. */
export const resumeWorkspace = (caller: Caller<'workspace.manage'>) =>
  turn(caller, 'active', 'workspace.resumed')

function turn(
  caller: Caller<'workspace.manage'>,
  status: 'active' | 'suspended',
  type: 'workspace.suspended' | 'workspace.resumed',
): Promise<boolean> {
  return caller.database.write(caller, async (write) => {
    const before = await lockWorkspace(write)
    if (before.status === status) return false
    updateStatus(write, status)
    write.record({ type, subject: before.id, changed: ['status'] })
    return true
  })
}

/** Whether a removal of it has begun, and was perhaps interrupted. */
export const isBeingRemoved = (database: Database, workspaceId: string) =>
  database.read({ workspaceId }, async (read) => !(await hasCounters(read)))

const rowsAtOnce = 5000

/** What stays to the end: as long as it is there, the sweeper leaves the workspace alone. */
const last = 'sweeps'

/**
 * Ends a workspace that stands at this number, which is that of its export: whatever was written
 * since would be lost, so then nothing is removed. From here on there is no way back.
 */
export async function closeForGood(caller: Caller<'workspace.manage'>, seq: number): Promise<void> {
  const isEnded = await caller.database.aside(caller, (read) => endWriting(read, seq))
  if (isEnded) return
  const detail = 'Something was written after the export. Nothing was deleted. Export it again.'
  throw new Failure('unavailable', detail)
}

/**
 * Takes every row of the workspace away, those that others refer to after those that refer to them.
 * In small transactions and not in one: a large workspace takes minutes, and a transaction that is
 * open for minutes slows down the writes of everyone else. When it is interrupted, it can be begun
 * again and goes on.
 */
export async function removeRows(
  caller: Caller<'workspace.manage'>,
  tell: (table: string, rows: number) => void,
): Promise<void> {
  const { database } = caller
  const tables = removalOrder(await database.ask(selectTenantTables))
  for (const { name, ownReferences } of tables.filter((table) => table.name !== last)) {
    for (const column of ownReferences) {
      await repeated(() =>
        database.aside(caller, (read) => clearSome(read, { table: name, column }, rowsAtOnce)),
      )
    }
    const rows = await repeated(() =>
      database.aside(caller, (read) => deleteSome(read, name, rowsAtOnce)),
    )
    tell(name, rows)
  }
  await database.aside(caller, async (read) => {
    await lockForRemoval(read)
    // A last use of a key, for example, was perhaps noted meanwhile.
    for (const { name } of tables) await repeated(() => deleteSome(read, name, rowsAtOnce))
    await deleteWorkspace(read)
  })
}

/** Does it until nothing is left to do, and says how much there was. */
async function repeated(some: () => Promise<number>): Promise<number> {
  let all = 0
  for (;;) {
    const rows = await some()
    all += rows
    if (rows === 0) return all
  }
}

/** Each table before all that it refers to. */
export function removalOrder(tables: readonly TenantTable[]): TenantTable[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const ordered: TenantTable[] = []
  while (left.size > 0) {
    const held = new Set([...left.values()].flatMap(({ refersTo }) => refersTo))
    const free = [...left.values()].filter(({ name }) => !held.has(name))
    assert(free.length > 0, 'tables refer to one another in a circle')
    ordered.push(...free)
    for (const { name } of free) left.delete(name)
  }
  return ordered
}
