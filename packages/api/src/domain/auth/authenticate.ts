/** Authentication against the database, single flight: one query at a time, shared by requests. */

import { limits, type Rates, type Scope } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { later } from '#domain/rules/time'
import type { Database } from '#storage/engine/database'
import {
  type CredentialHash,
  lockKey,
  selectPrincipals,
  updateKey,
  updateLastUse,
  type StoredPrincipal,
} from '#storage/nouns/keys'

import { isAllowed, networkPrefix } from './addresses.ts'
import { type Caller, system } from './caller.ts'
import { readToken, type TokenKind } from './token.ts'

/** A key or a session with a valid form and checksum. It may be unknown, expired or revoked. */
export interface Credential extends CredentialHash {
  readonly kind: TokenKind
}

/** Checks form and checksum, so that a mistyped key is refused without a query. */
export function readCredential(token: string, kind: TokenKind): Credential {
  const read = readToken(token, kind)
  if (read === null) throw new Failure(kind === 'key' ? 'malformed_key' : 'session_ended')
  return { kind, ...read }
}

interface Waiting {
  readonly credential: CredentialHash
  readonly admit: (principal: StoredPrincipal | null) => void
  readonly refuse: (error: unknown) => void
}

const credentialsMax = 100

/**
 * Authenticates credentials. Requests that arrive during a query share the next one, so
 * authentication uses one connection at a time. A query starts after the requests it serves
 * arrived: a revoked key is refused at once, and a caller reads its own writes.
 */
export class Authenticator {
  readonly #database: Database
  readonly #rates: Rates
  #waiting: Waiting[] = []
  #isAsking = false

  constructor(database: Database, rates: Rates = limits.perMinute) {
    this.#database = database
    this.#rates = rates
  }

  /** The principal of a valid key or session. An invalid credential gets no further information. */
  async authenticate({ kind, ...credential }: Credential, address: string) {
    const principal = await this.#find(credential)
    if (principal === null) throw new Failure(kind === 'key' ? 'unknown_key' : 'session_ended')
    const { workspaceId } = credential
    const problem = reasonAgainst(principal, address)
    if (problem !== null) {
      if (principal.isRefusalDue)
        this.#recordRefusal(workspaceId, principal.keyId, { problem, address })
      throw new Failure(problem)
    }
    if (principal.isSuspended) throw new Failure('workspace_suspended')
    if (principal.isUseDue) this.#recordUse(workspaceId, principal.keyId, address)
    // The cast holds because keys are created only with scopes of the contract.
    return { ...principal, workspaceId, scopes: principal.scopes as Scope[] }
  }

  /** The caller of a domain function: the principal and the request. */
  caller(
    principal: Pick<Caller<never>, 'workspaceId' | KeyRestriction> & { readonly keyId: string },
    request: Pick<Caller<never>, 'requestId' | 'operation' | 'idempotentRequest' | 'onlyIf'>,
  ): Caller<never> {
    const { workspaceId, keyId, scopes, allowedCidrs, expiresAt } = principal
    const actor = { type: 'key', id: keyId } as const
    const key = { actor, scopes, allowedCidrs, expiresAt }
    return { database: this.#database, workspaceId, ...key, rates: this.#rates, ...request }
  }

  #find(credential: CredentialHash): Promise<StoredPrincipal | null> {
    return new Promise((admit, refuse) => {
      this.#waiting.push({ credential, admit, refuse })
      void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    if (this.#isAsking || this.#waiting.length === 0) return
    const batch = this.#waiting.splice(0, credentialsMax)
    this.#isAsking = true
    try {
      const credentials = batch.map(({ credential }) => credential)
      const principals = await this.#database.ask((db) => selectPrincipals(db, credentials))
      for (const [index, { admit }] of batch.entries()) admit(principals[index] ?? null)
    } catch (error) {
      for (const { refuse } of batch) refuse(error)
    } finally {
      this.#isAsking = false
      void this.#ask()
    }
  }

  /** Runs in the background. If it fails, the next request tries again. */
  #recordUse(workspaceId: string, keyId: string, address: string): void {
    const use = { network: networkPrefix(address), time: this.#database.givenTime }
    this.#database
      .writeUnnumbered({ workspaceId }, (read) => updateLastUse(read, keyId, use))
      .catch(() => {})
  }

  /**
   * Records an event when an ended key is used, or a key is used from a wrong network: at most one
   * an hour, which bounds the writes that its holder can cause.
   */
  #recordRefusal(workspaceId: string, keyId: string, { problem, address }: Refusal): void {
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

/** The limits of the keys that a caller can create or change. */
type KeyRestriction = 'scopes' | 'allowedCidrs' | 'expiresAt'

interface Refusal {
  readonly problem: 'key_revoked' | 'key_expired' | 'address_not_allowed'
  readonly address: string
}

/** The reason to refuse a genuine key; null if it is accepted. */
function reasonAgainst(principal: StoredPrincipal, address: string): Refusal['problem'] | null {
  if (principal.status === 'revoked') return 'key_revoked'
  if (principal.status === 'expired') return 'key_expired'
  return isAllowed(address, principal.allowedCidrs) ? null : 'address_not_allowed'
}
