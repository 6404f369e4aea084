import { sql } from 'kysely'

import type { Read } from './database.ts'
import { uuidOf } from './id.ts'

export interface NewSession {
  readonly hash: Buffer
  readonly keyId: string
  readonly days: number
}

/** Says when it will expire, by the clock that the door goes by. */
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

/** Whether there was one. */
export async function deleteSession(read: Read, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await read.db
    .deleteFrom('sessions')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Each new session clears away a few old ones of anyone, so no job is needed for it. */
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

/** All sessions of a key but the newest. */
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
