import type { Session } from '@muster/contract'
import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { encodeId, encodeOptional, uuidAt, uuidOf } from '#storage/values/id'

/** Who a session is of. */
export type SessionHolder = { readonly keyId: string } | { readonly userId: string }

export interface NewSession {
  readonly hash: Buffer
  readonly holder: SessionHolder
  readonly method: Session['method']
  readonly secondsSinceProof: number
  readonly network: string | null
  readonly userAgent: string | null
  readonly days: number
  readonly previousVisitAt: string | null
}

/** Times are by the database clock, which authentication also uses. */
export async function insertSession(read: Read, session: NewSession) {
  const { hash, holder, method, secondsSinceProof, network, userAgent, days } = session
  const { previousVisitAt } = session
  const row = await read.db
    .insertInto('sessions')
    .values({
      workspace_id: read.workspaceId,
      hash,
      id: uuidAt(Date.now() * 1000),
      ...holderColumn(holder),
      method,
      network,
      user_agent: userAgent,
      authenticated_at: sql`now() - make_interval(secs => ${secondsSinceProof})`,
      created_at: sql`now()`,
      expires_at: sql`now() + make_interval(days => ${days})`,
      previous_visit_at: previousVisitAt,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { id: encodeId('ses', row.id), expires_at: row.expires_at }
}

const holderColumn = (holder: SessionHolder) =>
  'keyId' in holder ? { key_id: uuidOf(holder.keyId) } : { user_id: uuidOf(holder.userId) }

/** The live sessions of a person, newest first. One that was idle for too long has ended. */
export async function selectSessionsOfPerson(read: Read, userId: string, idleHours: number) {
  const idleExpiry = sql<string>`
    coalesce(last_used_at, created_at) + make_interval(hours => ${idleHours})`
  const rows = await read.db
    .selectFrom('sessions')
    .select([
      'id',
      'method',
      'network',
      'user_agent',
      'authenticated_at',
      'last_used_at',
      'created_at',
      'expires_at',
      idleExpiry.as('idle_expires_at'),
    ])
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .where('expires_at', '>', sql<string>`now()`)
    .where(idleExpiry, '>', sql<string>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, ...row }) => ({ id: encodeId('ses', id), user_id: userId, ...row }))
}

/** Ends one session of a person. Returns whether it existed. */
export async function deleteSessionOfPerson(
  read: Read,
  userId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await read.db
    .deleteFrom('sessions')
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .where('id', '=', uuidOf(id))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Ends all sessions of a person. Returns their number. */
export async function deleteSessionsOfPerson(read: Read, userId: string): Promise<number> {
  const { numDeletedRows } = await read.db
    .deleteFrom('sessions')
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Ends the sessions that were started by this method, of a person or of all. Returns their number. */
export async function deleteSessionsByMethod(
  read: Read,
  method: Session['method'],
  userId: string | null = null,
): Promise<number> {
  const { numDeletedRows } = await read.db
    .deleteFrom('sessions')
    .where('workspace_id', '=', read.workspaceId)
    .where('method', '=', method)
    .$if(userId !== null, (query) => query.where('user_id', '=', uuidOf(userId ?? '')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Returns the ended session and its holder; null if there was none. */
export async function deleteSession(read: Read, hash: Buffer) {
  const row = await read.db
    .deleteFrom('sessions')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', '=', hash)
    .returning(['id', 'key_id', 'user_id'])
    .executeTakeFirst()
  return row === undefined
    ? null
    : {
        id: encodeId('ses', row.id),
        keyId: encodeOptional('key', row.key_id),
        userId: encodeOptional('usr', row.user_id),
      }
}

/** Deletes all sessions of a key or a person but the newest `keptMax`. Returns their ids. */
export async function deleteOldestSessions(
  read: Read,
  holder: SessionHolder,
  keptMax: number,
): Promise<string[]> {
  const [column, uuid] =
    'keyId' in holder
      ? (['key_id', uuidOf(holder.keyId)] as const)
      : (['user_id', uuidOf(holder.userId)] as const)
  const rows = await read.db
    .deleteFrom('sessions')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('hash')
        .where('workspace_id', '=', read.workspaceId)
        .where(column, '=', uuid)
        .orderBy('created_at', 'desc')
        .offset(keptMax),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => encodeId('ses', id))
}
