import { limits } from '@muster/contract'

import type { Database } from '#storage/engine/database'
import { lockKey } from '#storage/nouns/keys'
import {
  deleteExpiredSessions,
  deleteOldestSessions,
  deleteSession,
  insertSession,
} from '#storage/nouns/sessions'
import { selectWorkspace } from '#storage/nouns/workspace'

import { issueToken } from './token.ts'

/**
 * Creates and ends browser sessions. A session has the rights of its API key and ends with it:
 * authentication checks the key on every request. Signing in changes no resource, so it takes no
 * sequence number and records no event.
 */
export class SessionManager {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The caller has authenticated the key. Only the hash of the returned token is stored. */
  async start({ workspaceId, keyId }: { workspaceId: string; keyId: string }) {
    const { token, hash } = issueToken(workspaceId, 'session')
    const started = await this.#database.writeUnnumbered({ workspaceId }, async (read) => {
      // Serializes concurrent sign-ins with one key, which could exceed the limit.
      await lockKey(read, keyId)
      await deleteExpiredSessions(read)
      await deleteOldestSessions(read, keyId, limits.sessionsPerKeyMax - 1)
      const { policies } = await selectWorkspace(read)
      const days = policies.session_days
      return { days, expires_at: await insertSession(read, { hash, keyId, days }) }
    })
    return { token, ...started }
  }

  /** The next request with this session is refused. Returns false if there was no such session. */
  end({ workspaceId, hash }: { workspaceId: string; hash: Buffer }): Promise<boolean> {
    return this.#database.writeUnnumbered({ workspaceId }, (read) => deleteSession(read, hash))
  }
}
