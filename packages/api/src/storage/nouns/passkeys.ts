import { type Selectable, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Read } from '#storage/statements/access'
import { encodeId, uuidAt, uuidOf } from '#storage/values/id'

const columns = [
  'id',
  'user_id',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'name',
  'last_used_at',
  'created_at',
] as const satisfies (keyof DB['passkeys'])[]

type Row = Pick<Selectable<DB['passkeys']>, (typeof columns)[number]>

export type StoredPasskey = ReturnType<typeof storedPasskey>

const storedPasskey = ({ id, user_id, ...row }: Row) => ({
  ...row,
  id: encodeId('psk', id),
  user_id: encodeId('usr', user_id),
})

const passkeys = (read: Read) =>
  read.db.selectFrom('passkeys').select(columns).where('workspace_id', '=', read.workspaceId)

/** The passkeys of a person, oldest first. Their number is bounded. */
export async function selectPasskeysOfPerson(read: Read, userId: string): Promise<StoredPasskey[]> {
  const rows = await passkeys(read).where('user_id', '=', uuidOf(userId)).orderBy('id').execute()
  return rows.map(storedPasskey)
}

/** The passkey with the credential id that its authenticator chose. */
export async function selectPasskeyByCredential(
  read: Read,
  credentialId: string,
): Promise<StoredPasskey | null> {
  const row = await passkeys(read).where('credential_id', '=', credentialId).executeTakeFirst()
  return row ? storedPasskey(row) : null
}

type NewPasskey = Pick<
  StoredPasskey,
  'user_id' | 'credential_id' | 'public_key' | 'counter' | 'transports' | 'name'
>

/** Returns null if the credential is stored already. */
export async function insertPasskey(
  read: Read,
  { user_id, ...passkey }: NewPasskey,
): Promise<StoredPasskey | null> {
  const row = await read.db
    .insertInto('passkeys')
    .values({
      workspace_id: read.workspaceId,
      id: uuidAt(Date.now() * 1000),
      user_id: uuidOf(user_id),
      ...passkey,
      created_at: sql`now()`,
    })
    .onConflict((conflict) => conflict.constraint('passkeys_credential').doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row ? storedPasskey(row) : null
}

/** Of concurrent sign-ins with the same counter value, one updates the row. */
export async function updatePasskeyUse(
  read: Read,
  { id, counter }: Pick<StoredPasskey, 'id' | 'counter'>,
  newCounter: number,
): Promise<boolean> {
  const { numUpdatedRows } = await read.db
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: sql`now()` })
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .where('counter', '=', counter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

interface OwnPasskey {
  readonly id: string
  readonly userId: string
}

/** Returns the renamed passkey; null if the person has no such passkey. */
export async function updatePasskeyName(
  read: Read,
  { id, userId }: OwnPasskey,
  name: string,
): Promise<StoredPasskey | null> {
  const row = await read.db
    .updateTable('passkeys')
    .set({ name })
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .where('id', '=', uuidOf(id))
    .returning(columns)
    .executeTakeFirst()
  return row ? storedPasskey(row) : null
}

/** Returns whether the person had this passkey. */
export async function deletePasskey(read: Read, { id, userId }: OwnPasskey): Promise<boolean> {
  const { numDeletedRows } = await read.db
    .deleteFrom('passkeys')
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .where('id', '=', uuidOf(id))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
