import type { Write } from '#storage/statements/access'
import { uuidOf } from '#storage/values/id'

/** Ends the sessions of a person, and the links with which they could sign in. */
export function endSignIns(write: Write, userId: string): void {
  deleteOf(write, 'sessions', userId)
  deleteOf(write, 'sign_in_links', userId)
}

/** Deletes the passkeys of a person and their account at the identity provider. */
export function removeCredentials(write: Write, userId: string): void {
  deleteOf(write, 'passkeys', userId)
  deleteOf(write, 'identities', userId)
}

type PersonTable = 'sessions' | 'sign_in_links' | 'passkeys' | 'identities'

function deleteOf(write: Write, table: PersonTable, userId: string): void {
  write.add(
    write.db
      .deleteFrom(table)
      .where('workspace_id', '=', write.workspaceId)
      .where('user_id', '=', uuidOf(userId)),
  )
}
