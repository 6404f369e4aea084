import type { SignInLink } from '@muster/contract'
import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { encodeId, uuidOf } from '#storage/values/id'

interface NewLink {
  readonly hash: Buffer
  readonly userId: string
  readonly purpose: SignInLink['purpose']
  readonly minutes: number
}

/** Times are by the database clock, which also decides whether a link has expired. */
export async function insertLink(read: Read, { hash, userId, purpose, minutes }: NewLink) {
  return read.db
    .insertInto('sign_in_links')
    .values({
      workspace_id: read.workspaceId,
      hash,
      user_id: uuidOf(userId),
      purpose,
      expires_at: sql`now() + make_interval(mins => ${minutes})`,
      created_at: sql`now()`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
}

/** The person of a link, whether or not it has expired; null for an unknown link. */
export async function selectLinkHolder(read: Read, hash: Buffer): Promise<string | null> {
  const row = await read.db
    .selectFrom('sign_in_links')
    .select('user_id')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row ? encodeId('usr', row.user_id) : null
}

/** The person of a link that has not expired; null for any other. */
export async function selectLiveLinkHolder(read: Read, hash: Buffer): Promise<string | null> {
  const row = await read.db
    .selectFrom('sign_in_links')
    .select('user_id')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', '=', hash)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return row ? encodeId('usr', row.user_id) : null
}

/**
 * Uses a link up: of any number of concurrent requests, one deletes the row. Returns whether this
 * one did, in time.
 */
export async function deleteLink(read: Read, hash: Buffer): Promise<boolean> {
  const row = await read.db
    .deleteFrom('sign_in_links')
    .where('workspace_id', '=', read.workspaceId)
    .where('hash', '=', hash)
    .returning(sql<boolean>`expires_at > now()`.as('is_in_time'))
    .executeTakeFirst()
  return row?.is_in_time ?? false
}

export async function deleteLinksOfPerson(read: Read, userId: string): Promise<void> {
  await read.db
    .deleteFrom('sign_in_links')
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .execute()
}
