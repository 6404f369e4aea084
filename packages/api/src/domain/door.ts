import { limits, type Rates, type Scope } from '@muster/contract'

import { isAllowed, networkPrefix } from '#domain/addresses'
import { type Caller, system } from '#domain/caller'
import { Failure } from '#domain/failure'
import { later } from '#domain/time'
import { readToken, type TokenKind } from '#domain/token'
import type { Database } from '#storage/database'
import {
  type Knock,
  lockKey,
  selectVisitors,
  updateKey,
  updateLastUse,
  type Visitor,
} from '#storage/keys'

/** A key or a session whose form and checksum are right. It may still be unknown or ended. */
export interface Credential extends Knock {
  readonly kind: TokenKind
}

/** Checks form and checksum, so that a mistyped key is refused without a question to the database. */
export function readCredential(token: string, kind: TokenKind): Credential {
  const read = readToken(token, kind)
  if (read === null) throw new Failure(kind === 'key' ? 'malformed_key' : 'session_ended')
  return { kind, ...read }
}

interface Waiting {
  readonly knock: Knock
  readonly admit: (visitor: Visitor | null) => void
  readonly refuse: (error: unknown) => void
}

const knocksMax = 100

/**
 * Finds out who is asking. Requests that arrive while a question to the database is under way share
 * the next one, so that the door takes one connection however slow the database is. Every question
 * starts after the requests it answers for arrived, so a revoked key is refused at once, and a
 * caller finds what it has just written.
 */
export class Door {
  readonly #database: Database
  readonly #rates: Rates
  #waiting: Waiting[] = []
  #isAsking = false

  constructor(database: Database, rates: Rates = limits.perMinute) {
    this.#database = database
    this.#rates = rates
  }

  /**
   * The holder of a valid key, or of a session that stands for one; whoever holds no real secret
   * learns nothing but that.
   */
  async open({ kind, ...knock }: Credential, address: string) {
    const visitor = await this.#find(knock)
    if (visitor === null) throw new Failure(kind === 'key' ? 'unknown_key' : 'session_ended')
    const { workspaceId } = knock
    const problem = reasonAgainst(visitor, address)
    if (problem !== null) {
      if (visitor.isRefusalDue) this.#tellRefusal(workspaceId, visitor.keyId, { problem, address })
      throw new Failure(problem)
    }
    if (visitor.isSuspended) throw new Failure('workspace_suspended')
    if (visitor.isUseDue) this.#noteUse(workspaceId, visitor.keyId, address)
    // The cast holds because only scopes of the contract are ever given to a key.
    return { ...visitor, workspaceId, scopes: visitor.scopes as Scope[] }
  }

  /** The visitor as the domain knows them: whose data they may touch, and on what occasion. */
  caller(
    visitor: Pick<Caller<never>, 'workspaceId' | Held> & { readonly keyId: string },
    occasion: Pick<Caller<never>, 'requestId' | 'repeatable' | 'onlyIf'>,
  ): Caller<never> {
    const { workspaceId, keyId, scopes, allowedCidrs, expiresAt } = visitor
    const actor = { type: 'key', id: keyId } as const
    const key = { actor, scopes, allowedCidrs, expiresAt }
    return { database: this.#database, workspaceId, ...key, rates: this.#rates, ...occasion }
  }

  #find(knock: Knock): Promise<Visitor | null> {
    return new Promise((admit, refuse) => {
      this.#waiting.push({ knock, admit, refuse })
      void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    if (this.#isAsking || this.#waiting.length === 0) return
    const batch = this.#waiting.splice(0, knocksMax)
    this.#isAsking = true
    try {
      const knocks = batch.map(({ knock }) => knock)
      const visitors = await this.#database.ask((db) => selectVisitors(db, knocks))
      for (const [index, { admit }] of batch.entries()) admit(visitors[index] ?? null)
    } catch (error) {
      for (const { refuse } of batch) refuse(error)
    } finally {
      this.#isAsking = false
      void this.#ask()
    }
  }

  /** Nobody waits for this, and nobody is told when it fails: the next request will try again. */
  #noteUse(workspaceId: string, keyId: string, address: string): void {
    const network = networkPrefix(address)
    this.#database
      .aside({ workspaceId }, (read) => updateLastUse(read, keyId, network))
      .catch(() => {})
  }

  /**
   * A key that has ended and is still being used, or is used from elsewhere, is worth an event: at
   * most one an hour, so that whoever holds it cannot make us write more than that.
   */
  #tellRefusal(workspaceId: string, keyId: string, { problem, address }: Refusal): void {
    this.#database
      .write(system(this.#database, workspaceId), async (write) => {
        const key = await lockKey(write, keyId)
        const hourAgo = later(write.now, -1, 'hours')
        if (key === null || (key.refused_at !== null && key.refused_at >= hourAgo)) return
        updateKey(write, key, { ...key, refused_at: write.now })
        const data = { code: problem, from: networkPrefix(address) }
        write.record({ type: 'key.refused', subject: keyId, data })
      })
      .catch(() => {})
  }
}

/** What bounds the keys that a caller makes or changes. */
type Held = 'scopes' | 'allowedCidrs' | 'expiresAt'

interface Refusal {
  readonly problem: 'key_revoked' | 'key_expired' | 'address_not_allowed'
  readonly address: string
}

/** Why a key that is genuine may not be used here and now; null when it may. */
function reasonAgainst(visitor: Visitor, address: string): Refusal['problem'] | null {
  if (visitor.status === 'revoked') return 'key_revoked'
  if (visitor.status === 'expired') return 'key_expired'
  return isAllowed(address, visitor.allowedCidrs) ? null : 'address_not_allowed'
}
