/** The audit log of sign-in and access. */

import { type AuditEntry, type AuditType, limits } from '@muster/contract'

import { type Listing, listingOf } from '#domain/engine/listing'
import type { Read, Write } from '#storage/engine/access'
import type { Database } from '#storage/engine/database'
import {
  addAuditEntry,
  auditList,
  deleteOldestFailures,
  insertAuditEntry,
  type NewAuditEntry,
  type StoredAuditEntry,
  upsertFailure,
} from '#storage/nouns/audit'

import type { Caller, Origin } from './caller.ts'

export interface AuditQuery {
  readonly type?: readonly AuditType[]
  readonly user_id?: readonly string[]
}

export const listAudit = (
  caller: Caller<'workspace.read'>,
  { type: types, user_id: userIds }: AuditQuery,
): Listing<AuditEntry> =>
  listingOf(caller, {
    counter: null,
    list: auditList({ types: types ?? null, userIds: userIds ?? null }),
    present: (entries) => entries.map(presentAuditEntry),
  })

/** The casts hold because entries are added only with values of the contract. */
export const presentAuditEntry = ({ type, actor, ...entry }: StoredAuditEntry): AuditEntry => ({
  ...entry,
  type: type as AuditType,
  actor: actor as AuditEntry['actor'],
})

const unknownOrigin: Origin = { network: null, userAgent: null }

/** Adds an entry in the transaction of a write. */
export function audit(
  write: Write,
  { actor, origin }: Caller<never>,
  entry: Pick<NewAuditEntry, 'type' | 'userId' | 'subjectId' | 'reason'>,
): void {
  addAuditEntry(write, { actor, ...(origin ?? unknownOrigin), ...entry })
}

/** Adds an entry in a transaction without a sequence number. */
export async function auditUnnumbered(
  read: Read,
  { actor, origin }: Caller<never>,
  entry: Pick<NewAuditEntry, 'type' | 'userId' | 'subjectId' | 'reason'>,
): Promise<void> {
  await insertAuditEntry(read, { actor, ...(origin ?? unknownOrigin), ...entry }).execute()
}

/** A sign-in that failed, or a request whose genuine credential was refused. */
interface SignInFailure {
  /** A code in snake_case, without data of the request. */
  readonly reason: string
  readonly origin: Origin
  /** The person who would have signed in, if that is certain. */
  readonly userId?: string | null
  /** The id of the credential. */
  readonly subjectId?: string | null
}

/**
 * Records a failure in a transaction of its own, without a sequence number. One network causes at
 * most one row a minute, and a workspace keeps the newest `auditFailuresMax` rows: failures cannot
 * fill the database. An unknown workspace is ignored.
 */
export async function recordFailure(
  database: Database,
  workspaceId: string,
  { origin, ...failure }: SignInFailure,
): Promise<void> {
  const time = database.givenTime
  await database.writeUnnumbered({ workspaceId }, async (read) => {
    const isNew = await upsertFailure(read, { ...failure, ...origin, time })
    if (isNew) await deleteOldestFailures(read, limits.auditFailuresMax)
  })
}
