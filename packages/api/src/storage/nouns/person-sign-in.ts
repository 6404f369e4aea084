import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { uuidOf } from '#storage/values/id'

import type { Account } from './sign-in.ts'

/** The account of a person; null for none. */
export async function selectIdentity(read: Read, userId: string) {
  const row = await read.db
    .selectFrom('identities')
    .select(['issuer', 'subject', 'created_at', 'last_used_at'])
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .executeTakeFirst()
  return row ?? null
}

/** Records a sign-in. Returns false if the account is no longer bound to the person. */
export async function updateIdentityUse(
  read: Read,
  userId: string,
  { issuer, subject }: Account,
): Promise<boolean> {
  const { numUpdatedRows } = await read.db
    .updateTable('identities')
    .set({ last_used_at: sql`now()` })
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
