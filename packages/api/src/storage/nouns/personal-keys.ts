import type { Read } from '#storage/statements/access'
import { uuidOf } from '#storage/values/id'

import { keyColumns, presentKey, type StoredKey } from './keys.ts'

/** The keys of a person that are not revoked, oldest first. */
export async function selectKeysOfPerson(read: Read, userId: string): Promise<StoredKey[]> {
  const rows = await read.db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('user_id', '=', uuidOf(userId))
    .where('life', '=', 'live')
    .orderBy('id')
    .execute()
  return rows.map(presentKey)
}
