import { type Selectable, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Read, Write } from '#storage/statements/access'
import { encodeId, uuidOf } from '#storage/values/id'

const columns = [
  'issuer',
  'client_id',
  'client_secret',
  'match',
  'allowed_domains',
  'first_sign_in',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['sign_in_providers'])[]

/** The identity provider of a workspace, with its encrypted client secret. */
export type StoredProvider = Pick<Selectable<DB['sign_in_providers']>, (typeof columns)[number]>

const ownProvider = (read: Read) =>
  read.db
    .selectFrom('sign_in_providers')
    .select(columns)
    .where('workspace_id', '=', read.workspaceId)

export async function selectProvider(read: Read): Promise<StoredProvider | null> {
  return (await ownProvider(read).executeTakeFirst()) ?? null
}

/** Locks the settings until the transaction ends. */
export async function lockProvider(read: Read): Promise<StoredProvider | null> {
  return (await ownProvider(read).forNoKeyUpdate().executeTakeFirst()) ?? null
}

export function upsertProvider(write: Write, after: StoredProvider): void {
  const { created_at, ...rest } = after
  const changed = { ...rest, version: write.version }
  write.add(
    write.db
      .insertInto('sign_in_providers')
      .values({ workspace_id: write.workspaceId, created_at, ...changed })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(changed)),
  )
}

export function deleteProvider(write: Write): void {
  write.add(write.db.deleteFrom('sign_in_providers').where('workspace_id', '=', write.workspaceId))
}

/** Replaces the encrypted form of the same client secret, which no response shows. */
export async function updateClientSecret(read: Read, clientSecret: Buffer): Promise<void> {
  await read.db
    .updateTable('sign_in_providers')
    .set({ client_secret: clientSecret })
    .where('workspace_id', '=', read.workspaceId)
    .execute()
}

/** An account at the identity provider. */
export interface Account {
  readonly issuer: string
  readonly subject: string
}

/** The person that an account is bound to; null for none. */
export async function selectBoundPerson(read: Read, account: Account): Promise<string | null> {
  const row = await read.db
    .selectFrom('identities')
    .select('user_id')
    .where('workspace_id', '=', read.workspaceId)
    .where('issuer', '=', account.issuer)
    .where('subject', '=', account.subject)
    .executeTakeFirst()
  return row ? encodeId('usr', row.user_id) : null
}

/** Whether an account is bound to a person. */
export async function isBound(read: Read, userId: string): Promise<boolean> {
  const row = await read.db
    .selectFrom('identities')
    .select('user_id')
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .executeTakeFirst()
  return row !== undefined
}

/** Binds an account to a person. Returns false if either of them is bound already. */
export async function insertIdentity(
  read: Read,
  userId: string,
  { issuer, subject }: Account,
): Promise<boolean> {
  const row = await read.db
    .insertInto('identities')
    .values({
      workspace_id: read.workspaceId,
      user_id: uuidOf(userId),
      issuer,
      subject,
      created_at: sql`now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Ends the binding of accounts, of a person or of all. Returns their number. It is sent at once: a
 * sign-in that has updated its account commits before, so that its session can be deleted after.
 */
export async function deleteIdentities(read: Read, userId: string | null = null): Promise<number> {
  const { numDeletedRows } = await read.db
    .deleteFrom('identities')
    .where('workspace_id', '=', read.workspaceId)
    .$if(userId !== null, (query) => query.where('user_id', '=', uuidOf(userId ?? '')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
