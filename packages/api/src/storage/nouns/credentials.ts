import type { Write } from '#storage/engine/access'
import { uuidOf } from '#storage/engine/id'

/** Ends the sessions of a person, and the links with which they could sign in. */
export function endSignIns(write: Write, userId: string): void {
  deleteOf(write, 'sessions', userId)
  deleteOf(write, 'sign_in_links', userId)
}

/** Deletes the passkeys of a person and their account at the identity provider. */
export function removeCredentials(write: Write, userId: string): void {
  deleteOf(write, 'passkeys', userId)
  deleteOf(write, 'identities', userId)
  deleteOf(write, 'binding_holds', userId)
}

type PersonTable = 'sessions' | 'sign_in_links' | 'passkeys' | 'identities' | 'binding_holds'

function deleteOf(write: Write, table: PersonTable, userId: string): void {
  write.add(
    write.db
      .deleteFrom(table)
      .where('workspace_id', '=', write.workspaceId)
      .where('user_id', '=', uuidOf(userId)),
  )
}

/**
 * Prevents the identity provider from binding these people, because a principal with fewer rights
 * changed their email or external id.
 */
export function holdBindings(write: Write, userIds: readonly string[]): void {
  if (userIds.length === 0) return
  write.add(
    write.db
      .insertInto('binding_holds')
      .values(
        userIds.map((userId) => ({
          workspace_id: write.workspaceId,
          user_id: uuidOf(userId),
          created_at: write.now,
        })),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}
