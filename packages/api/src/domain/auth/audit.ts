/** The audit log of sign-in and access. */

import type { AuditEntry, AuditType } from '@muster/contract'

import type { Caller, Origin } from '#domain/engine/caller'
import { type Listing, listingOf } from '#domain/engine/listing'
import {
  addAuditEntry,
  auditList,
  insertAuditEntry,
  type NewAuditEntry,
  type StoredAuditEntry,
} from '#storage/nouns/audit'
import type { Read, Write } from '#storage/statements/access'

import { followAudit } from './audit-feed.ts'
import { OnceAMinute } from './once-a-minute.ts'

export interface AuditQuery {
  readonly type?: readonly AuditType[]
  readonly user_id?: readonly string[]
}

export const listAudit = (
  caller: Caller<'workspace.read'>,
  { type: types, user_id: userIds }: AuditQuery,
): Listing<AuditEntry> => ({
  ...listingOf(caller, {
    counter: null,
    list: auditList({ types: types ?? null, userIds: userIds ?? null }),
    present: (entries) => entries.map(presentAuditEntry),
  }),
  follow: async (request) => {
    const page = await followAudit(caller, request)
    return { ...page, items: page.items.map(presentAuditEntry) }
  },
})

/** The casts hold because entries are added only with values of the contract. */
export const presentAuditEntry = ({ type, actor, ...entry }: StoredAuditEntry): AuditEntry => ({
  ...entry,
  type: type as AuditType,
  actor: actor as AuditEntry['actor'],
})

const unknownOrigin: Origin = { network: null, userAgent: null }

/** An entry without the actor and the network, which are those of the caller. */
export type AuditInput = Pick<NewAuditEntry, 'type' | 'userId' | 'subjectId' | 'reason' | 'count'>

/** Adds an entry in the transaction of a write. */
export function audit(write: Write, { actor, origin }: Caller<never>, entry: AuditInput): void {
  addAuditEntry(write, { actor, ...(origin ?? unknownOrigin), ...entry })
}

/** Adds an entry in a transaction without a sequence number. */
export async function auditUnnumbered(
  read: Read,
  { actor, origin }: Caller<never>,
  entry: AuditInput,
): Promise<void> {
  await insertAuditEntry(read, { actor, ...(origin ?? unknownOrigin), ...entry }).execute()
}

const exports = new OnceAMinute()

/**
 * Adds an entry for the export of a list, at most one a minute for each caller. The response waits
 * for it, so that there is no export without an entry.
 */
export async function recordExport(
  caller: Caller<never>,
  { type, format }: { readonly type: AuditType; readonly format: string },
): Promise<void> {
  const { database, workspaceId, actor, session } = caller
  const id = [workspaceId, type, actor.type, session?.id ?? actor.id].join(' ')
  if (!exports.isFirst(id)) return
  const entry = { type, subjectId: session?.id ?? actor.id, reason: format }
  try {
    await database.writeUnnumbered({ workspaceId }, (read) => auditUnnumbered(read, caller, entry))
  } catch (error) {
    exports.forget(id)
    throw error
  }
}
