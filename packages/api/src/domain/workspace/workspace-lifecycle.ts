import assert from 'node:assert/strict'

import { audit } from '#domain/auth/audit'
import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import {
  clearSome,
  deleteSome,
  deleteWorkspace,
  endWriting,
  hasCounters,
  lockForRemoval,
  selectTenantTables,
  type TenantTable,
} from '#storage/nouns/removal'
import { requestSweep } from '#storage/nouns/sweeps'
import { lockWorkspace, updateStatus } from '#storage/nouns/workspace'
import type { Database } from '#storage/transaction/database'

/** Every next request is refused. Returns false if the workspace was suspended already. */
export const suspendWorkspace = (caller: Caller<'workspace.manage'>) =>
  setStatus(caller, 'suspended', 'workspace.suspended')

/** Accepts requests again. Returns false if the workspace was active already. */
export const resumeWorkspace = (caller: Caller<'workspace.manage'>) =>
  setStatus(caller, 'active', 'workspace.resumed')

function setStatus(
  caller: Caller<'workspace.manage'>,
  status: 'active' | 'suspended',
  type: 'workspace.suspended' | 'workspace.resumed',
): Promise<boolean> {
  return caller.database.write(caller, async (write) => {
    const before = await lockWorkspace(write)
    if (before.status === status) return false
    updateStatus(write, status)
    // Departures whose day ended during the suspension are due.
    if (status === 'active') requestSweep(write)
    const reason = `${before.status} to ${status}`
    audit(write, caller, { type: 'workspace.updated', reason })
    write.record({ type, subject: before.id, changed: ['status'] })
    return true
  })
}

/** Whether a deletion has begun. It may have been interrupted. */
export const isBeingRemoved = (database: Database, workspaceId: string) =>
  database.read({ workspaceId }, async (read) => !(await hasCounters(read)))

const batchRows = 5000

/**
 * Closes the workspace for writes, if its sequence number is still that of the export. Otherwise
 * the export lacks later writes: the call fails and deletes nothing. Closing cannot be undone.
 */
export async function closeWorkspace(
  caller: Caller<'workspace.manage'>,
  seq: number,
): Promise<void> {
  const isEnded = await caller.database.writeUnnumbered(caller, (read) => endWriting(read, seq))
  if (isEnded) return
  const detail = 'The workspace changed after the export. Nothing was deleted. Export it again.'
  throw new Failure('unavailable', detail)
}

/**
 * Deletes every row of the workspace, referencing tables first. Uses small transactions: a large
 * workspace takes minutes, and a long transaction slows the writes of other workspaces. After an
 * interruption it can be run again.
 */
export async function removeRows(
  caller: Caller<'workspace.manage'>,
  onTableDone: (table: string, rows: number) => void,
): Promise<void> {
  const { database } = caller
  const tables = removalOrder(await database.ask(selectTenantTables))
  for (const { name, ownReferences } of tables) {
    for (const column of ownReferences) {
      await repeatUntilZero(() =>
        database.writeUnnumbered(caller, (read) =>
          clearSome(read, { table: name, column }, batchRows),
        ),
      )
    }
    const rows = await repeatUntilZero(() =>
      database.writeUnnumbered(caller, (read) => deleteSome(read, name, batchRows)),
    )
    onTableDone(name, rows)
  }
  await database.writeUnnumbered(caller, async (read) => {
    await lockForRemoval(read)
    // Concurrent requests may have written rows, such as the last use of a key.
    for (const { name } of tables) await repeatUntilZero(() => deleteSome(read, name, batchRows))
    await deleteWorkspace(read)
  })
}

/** Repeats until a batch affects no rows. Returns the total number of rows. */
async function repeatUntilZero(deleteBatch: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const rows = await deleteBatch()
    total += rows
    if (rows === 0) return total
  }
}

/** Topological order: each table before the tables that it references. */
export function removalOrder(tables: readonly TenantTable[]): TenantTable[] {
  const remaining = new Map(tables.map((table) => [table.name, table]))
  const ordered: TenantTable[] = []
  while (remaining.size > 0) {
    const referenced = new Set([...remaining.values()].flatMap(({ refersTo }) => refersTo))
    const next = [...remaining.values()].filter(({ name }) => !referenced.has(name))
    assert(next.length > 0, 'table references form a cycle')
    ordered.push(...next)
    for (const { name } of next) remaining.delete(name)
  }
  return ordered
}
