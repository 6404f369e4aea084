import { limits } from '@muster/contract'

import { issueToken } from '#domain/token'
import type { Database } from '#storage/database'
import { lockKey } from '#storage/keys'
import {
  deleteExpiredSessions,
  deleteOldestSessions,
  deleteSession,
  insertSession,
} from '#storage/sessions'
import { selectWorkspace } from '#storage/workspace'

/**
 * What a browser holds in place of a key. A session can do what its key can, for as long as the key
 * can; the door asks the key each time. Signing in changes nothing that anyone is shown, so it
 * takes no number and tells no event.
 */
export class Sessions {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** A session of a key that the door has opened for. Its secret is in the answer alone. */
  async start({ workspaceId, keyId }: { workspaceId: string; keyId: string }) {
    const { token, hash } = issueToken(workspaceId, 'session')
    const started = await this.#database.aside({ workspaceId }, async (read) => {
      // Whoever signs in with the same key at the same time waits, or there could be one too many.
      await lockKey(read, keyId)
      await deleteExpiredSessions(read)
      await deleteOldestSessions(read, keyId, limits.sessionsPerKeyMax - 1)
      const { policies } = await selectWorkspace(read)
      const days = policies.session_days
      return { days, expires_at: await insertSession(read, { hash, keyId, days }) }
    })
    return { token, ...started }
  }

  /**
   * From the next request on the session is refused. Ending what is none changes nothing; the
   * answer is whether there was one.
   */
  end({ workspaceId, hash }: { workspaceId: string; hash: Buffer }): Promise<boolean> {
    return this.#database.aside({ workspaceId }, (read) => deleteSession(read, hash))
  }
}
