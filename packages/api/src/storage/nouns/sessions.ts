import { sql } from 'kysely'

import type { Read } from '#storage/engine/access'
import { uuidOf } from '#storage/engine/id'

export interface NewSession {
  readonly hash: Buffer
  readonly keyId: string
  readonly days: number
}

/** Returns the expiry by the database clock, which authentication also uses. */
export async function insertSession(read: Read, session: NewSession): Promise<string> {
  const { hash, keyId, days } = session
  const { expires_at } = await read.db
    .insertInto('sessions')
    .values({
      workspace_id: read.workspaceId,
      hash,
      key_id: uuidOf(keyId),
      created_at: sql`now()`,
      expires_at: sql`now() + make_interval(days => ${days})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

/** Returns whether the session existed. */
export async function deleteSession(read: Read, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await read.db
    .deleteFrom('sessions')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Deletes up to 100 expired sessions of the workspace. Every sign-in calls it instead of a job. */
export async function deleteExpiredSessions(read: Read): Promise<void> {
  await read.db
    .deleteFrom('sessions')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('hash')
        .where('workspace_id', '=', read.workspaceId)
        .where('expires_at', '<=', sql<string>`now()`)
        .orderBy('expires_at')
        .limit(100),
    )
    .execute()
}

/** Deletes all sessions of a key but the newest `keptMax`. */
export async function deleteOldestSessions(
  read: Read,
  keyId: string,
  keptMax: number,
): Promise<void> {
  await read.db
    .deleteFrom('sessions')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('hash')
        .where('workspace_id', '=', read.workspaceId)
        .where('key_id', '=', uuidOf(keyId))
        .orderBy('created_at', 'desc')
        .offset(keptMax),
    )
    .execute()
}
