import { limits, type Session } from '@muster/contract'

import type { Origin } from '#domain/engine/caller'
import { insertAuditEntry } from '#storage/nouns/audit'
import { deleteExpiredRows } from '#storage/nouns/expired-rows'
import { lockKey, selectKey, type StoredKey } from '#storage/nouns/keys'
import { lockActivePerson } from '#storage/nouns/personnel'
import type { CredentialHash } from '#storage/nouns/principals'
import {
  deleteOldestSessions,
  deleteSession,
  insertSession,
  type SessionHolder,
} from '#storage/nouns/sessions'
import { beginVisit } from '#storage/nouns/visits'
import { selectWorkspace } from '#storage/nouns/workspace'
import type { Read } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'

import type { RefusalLog } from './refusal-log.ts'
import { isMethodAllowed, refuseMethod } from './sign-in-methods.ts'
import { issueToken } from './token.ts'

interface SignIn {
  readonly workspaceId: string
  readonly origin: Origin
  readonly method: Session['method']
  /** Seconds since the person proved who they are; 0 unless the identity provider says more. */
  readonly secondsSinceProof?: number
}

/**
 * A credential that works once, or in order. `find` names its person without a lock; `use` marks it
 * as used, after the person is locked, and returns false if another request used it first. Every
 * sign-in locks the person first, as suspensions do, so that none waits for the other.
 */
export interface Proof {
  readonly find: (read: Read) => Promise<string | null>
  readonly use: (read: Read) => Promise<boolean>
}

/**
 * Creates and ends browser sessions. A session has the rights of its key or person and ends with
 * it: authentication checks both on every request. Signing in changes no resource, so it takes no
 * sequence number and records no event.
 */
export class SessionManager {
  readonly #database: Database
  readonly #refusals: RefusalLog

  constructor(database: Database, refusals: RefusalLog) {
    this.#database = database
    this.#refusals = refusals
  }

  /** The caller has authenticated the key. Only the hash of the returned token is stored. */
  start({ workspaceId, keyId }: { workspaceId: string; keyId: string }, origin: Origin) {
    return this.#start({ workspaceId, origin, method: 'key' }, async (read) => {
      // Serializes concurrent sign-ins with one key, which could exceed the limit.
      const key = await lockKey(read, keyId)
      if (key === null) return null
      await auditKeySignIn(read, key, origin)
      return { keyId }
    })
  }

  /**
   * Uses a credential and starts the session of its person, in one transaction. Returns null if the
   * person is not active: the lock on the person orders the sign-in before or after a suspension.
   */
  startWithProof(signIn: SignIn, { find, use }: Proof) {
    return this.#start(signIn, async (read) => {
      const userId = await find(read)
      if (userId === null || !(await lockActivePerson(read, userId))) return null
      if ((await selectWorkspace(read)).status === 'suspended') return null
      return (await use(read)) ? { userId } : null
    })
  }

  async #start(signIn: SignIn, authenticate: (read: Read) => Promise<SessionHolder | null>) {
    const { workspaceId, origin, method, secondsSinceProof = 0 } = signIn
    const { token, hash } = issueToken(workspaceId, 'session')
    const started = await this.#database.writeUnnumbered({ workspaceId }, async (read) => {
      if (!(await isMethodAllowed(read, method))) return 'not_allowed'
      const holder = await authenticate(read)
      if (holder === null) return null
      await deleteExpiredRows(read, 'sessions')
      const { sessionsPerKeyMax, sessionsPerPersonMax } = limits
      const sessionsMax = 'keyId' in holder ? sessionsPerKeyMax : sessionsPerPersonMax
      for (const id of await deleteOldestSessions(read, holder, sessionsMax - 1))
        await auditEnd(read, { id, ...holder }, { reason: 'too_many_sessions', origin })
      const { policies } = await selectWorkspace(read)
      const days = policies.session_days
      const previousVisitAt = 'userId' in holder ? await beginVisit(read, holder.userId) : null
      const session = await insertSession(read, {
        hash,
        holder,
        days,
        method,
        secondsSinceProof,
        previousVisitAt,
        ...origin,
      })
      if ('userId' in holder) await auditSignIn(read, signIn, { ...holder, id: session.id })
      return { days, ...session }
    })
    if (started === 'not_allowed') return refuseMethod(this.#refusals, signIn)
    return started === null ? null : { token, ...started }
  }

  /** The next request with this session is refused. Returns false if there was no such session. */
  end({ workspaceId, hash }: Omit<CredentialHash, 'isSession'>, origin: Origin): Promise<boolean> {
    return this.#database.writeUnnumbered({ workspaceId }, async (read) => {
      const ended = await deleteSession(read, hash)
      if (ended === null) return false
      await auditEnd(read, ended, { reason: 'signed_out', origin })
      return true
    })
  }
}

function auditKeySignIn(read: Read, { id, user_id }: StoredKey, origin: Origin): Promise<unknown> {
  return insertAuditEntry(read, {
    type: 'sign_in.succeeded',
    actor: { type: 'key', id, user_id },
    userId: user_id,
    subjectId: id,
    reason: 'key',
    ...origin,
  }).execute()
}

interface EndedSession {
  readonly id: string
  readonly keyId?: string | null
  readonly userId?: string | null
}

async function auditEnd(
  read: Read,
  ended: EndedSession,
  { reason, origin }: { reason: string; origin: Origin },
): Promise<void> {
  const { id: subjectId, keyId = null } = ended
  const key = keyId === null ? null : await selectKey(read, keyId)
  const userId = (key === null ? ended.userId : key.user_id) ?? null
  const actor = { type: keyId ? 'key' : 'person', id: keyId ?? userId, user_id: userId } as const
  const entry = { type: 'session.ended', userId, subjectId, reason } as const
  await insertAuditEntry(read, { actor, ...origin, ...entry }).execute()
}

const personActor = (id: string) => ({ type: 'person', id, user_id: id }) as const

function auditSignIn(
  read: Read,
  { method, origin }: SignIn,
  { userId, id }: { userId: string; id: string },
): Promise<unknown> {
  const entry = { type: 'sign_in.succeeded', userId, subjectId: id, reason: method } as const
  return insertAuditEntry(read, { actor: personActor(userId), ...origin, ...entry }).execute()
}
