import type { SignInMethod } from '@muster/contract'
import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Read } from '#storage/statements/access'
import { isOneOf, isOwn } from '#storage/statements/keyset'
import { encodeOptional, uuidOf } from '#storage/values/id'

/** The ways to sign in that the workspace allows; null for an unknown workspace. */
export async function selectSignInMethods(read: Read): Promise<readonly SignInMethod[] | null> {
  const row = await read.db
    .selectFrom('workspaces')
    .select('sign_in_methods')
    .where('id', '=', read.workspaceId)
    .executeTakeFirst()
  // The cast holds because the policy is stored only with values of the contract.
  return row ? (row.sign_in_methods as SignInMethod[]) : null
}

/** Whether the workspace has an identity provider. */
export async function hasProvider(read: Read): Promise<boolean> {
  const row = await read.db
    .selectFrom('sign_in_providers')
    .select('workspace_id')
    .where('workspace_id', '=', read.workspaceId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether one of these people has a passkey. */
export async function hasPasskeyAmong(read: Read, userIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from passkeys
    where ${isOwn(read, 'passkeys')} and ${isOneOf('user_id', userIds.map(uuidOf))}
    limit 1`.execute(read.db)
  return rows.length > 0
}

/**
 * Whether the identity provider can sign one of these people in: their account is bound, or their
 * email or external id can find it.
 */
export async function hasAccountAmong(read: Read, userIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from people
    join sign_in_providers on ${isOwn(read, 'sign_in_providers')}
    left join identities
      on ${isOwn(read, 'identities')} and identities.user_id = people.id
    left join binding_holds
      on ${isOwn(read, 'binding_holds')} and binding_holds.user_id = people.id
    where ${isOwn(read, 'people')} and ${isOneOf('people.id', userIds.map(uuidOf))}
      and (identities.user_id is not null or binding_holds.user_id is null and case match
        when 'external_id' then people.external_id is not null
        else people.email is not null
          and (allowed_domains = '{}'
            or lower(split_part(people.email, '@', -1)) = any (allowed_domains))
      end)
    limit 1`.execute(read.db)
  return rows.length > 0
}

/** Whether a service key, or a personal key of one of these people, has this scope for a day. */
export async function hasLastingKey(
  read: Read,
  scope: string,
  userIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from api_keys
    where ${isOwn(read, 'api_keys')} and life = 'live' and ${scope} = any (scopes)
      and (user_id is null or ${isOneOf('user_id', userIds.map(uuidOf))})
      and (expires_at is null or expires_at > now() + interval '24 hours')
    limit 1`.execute(read.db)
  return rows.length > 0
}

/** The id of the workspace if there is only one; null otherwise. */
export async function selectOnlyWorkspace(db: Kysely<DB>): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select only_workspace() as id`.execute(db)
  return encodeOptional('wsp', rows[0]?.id ?? null)
}
