/** Authentication against the database, single flight: one query at a time, shared by requests. */

import assert from 'node:assert/strict'

import { roleNames, type RoleName, type Scope, type Session } from '@muster/contract'

import { type Caller, system, systemActor } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { later } from '#domain/rules/time'
import { lockKey, updateKey, updateLastUse } from '#storage/nouns/keys'
import {
  type CredentialHash,
  readPrincipal,
  selectPrincipals,
  type StoredPrincipal,
} from '#storage/nouns/principals'
import { updateSessionUse } from '#storage/nouns/visits'
import type { Database } from '#storage/transaction/database'

import { isAllowed, networkPrefix } from './addresses.ts'
import type { RefusalLog } from './refusal-log.ts'
import { mayExceedAppetite, scopesInBoth, scopesOfRoles } from './rights.ts'
import { readToken, type TokenKind } from './token.ts'

/** A key or a session with a valid form and checksum. It may be unknown, expired or revoked. */
export interface Credential extends CredentialHash {
  readonly kind: TokenKind
}

/** Checks form and checksum, so that a mistyped key is refused without a query. */
export function readCredential(token: string, kind: TokenKind): Credential {
  const read = readToken(token, kind)
  if (read === null) throw new Failure(kind === 'key' ? 'malformed_key' : 'session_ended')
  return { kind, isSession: kind === 'session', ...read }
}

/** A credential that was found. */
interface Found {
  /** What PostgreSQL returned. */
  readonly text: string
  readonly stored: StoredPrincipal
  readonly principal: Principal
}

/** A request that waits for its principal. */
interface Waiting {
  readonly admit: (found: Found | null) => void
  readonly refuse: (error: unknown) => void
}

/** A credential to look up, and the requests that sent it. */
interface Asked {
  readonly credential: CredentialHash
  readonly waiting: Waiting[]
}

/** The settings that domain functions read from their caller. */
type CallerSettings = Pick<
  Caller<never>,
  'rates' | 'publicUrl' | 'identityProviders' | 'slugLimit' | 'rowTexts'
>

interface AuthenticatorOptions extends CallerSettings {
  /** Null to record no refusals. */
  readonly refusals: RefusalLog | null
}

const noSettings = {
  publicUrl: null,
  identityProviders: null,
  slugLimit: null,
  rowTexts: null,
  refusals: null,
}

/** The client that sent a credential, and what it wants. */
interface Client {
  readonly userAgent: () => string | null
  /** Whether the credential is to start a session. */
  readonly isSignIn: boolean
  /** Whether it only asks if the credential is still valid: that is no use of a session. */
  readonly isCheck?: boolean
}

const unknownClient: Client = { userAgent: () => null, isSignIn: false }

/** Credentials of one query: known ones, and those that have not been found before. */
const askedMax = { known: 75, unknown: 25 } as const

/** How many principals are kept. One that was dropped is only parsed again. */
const foundMax = 2000

/**
 * Authenticates credentials. Requests that arrive in one turn of the event loop, or during a query,
 * share the next one, so authentication uses one connection at a time. A query starts after the
 * requests it serves arrived: a revoked key is refused at once, and a caller reads its own writes.
 * Every request is authenticated by a query; as long as its result is the same text, requests share
 * the parsed principal.
 */
export class Authenticator {
  readonly #database: Database
  readonly #settings: CallerSettings
  readonly #refusals: RefusalLog | null
  /** Credentials to look up. Those that never authenticated take a quarter of each query. */
  readonly #asked = { known: new Map<string, Asked>(), unknown: new Map<string, Asked>() }
  /** The last principal of each credential. */
  readonly #found = new Map<string, Found>()
  #isAsking = false

  constructor(database: Database, { refusals, ...settings }: AuthenticatorOptions = noSettings) {
    this.#database = database
    this.#settings = settings
    this.#refusals = refusals
  }

  /** The principal of a valid key or session. An invalid credential gets no further information. */
  async authenticate(
    { kind, ...credential }: Credential,
    address: string,
    client: Client = unknownClient,
  ) {
    const found = await this.#find(credential)
    const stored = found?.stored ?? null
    const { workspaceId } = credential
    const unknown = kind === 'key' ? 'unknown_key' : 'session_ended'
    const problem = stored === null ? unknown : reasonAgainst(stored, address)
    if (found === null || problem !== null) {
      const refusal = { problem: problem ?? unknown, network: networkPrefix(address) } as const
      this.#recordRefusal(stored, { ...client, ...refusal, workspaceId })
      throw new Failure(refusal.problem)
    }
    const { principal } = found
    if (principal.isSuspended) throw new Failure('workspace_suspended')
    if (principal.isUseDue && !client.isCheck) this.#recordUse(principal, address)
    return principal
  }

  /** The principal of a credential that authenticated before, without a use of it. */
  check(credential: Credential, address: string): Promise<Principal> {
    return this.authenticate(credential, address, { ...unknownClient, isCheck: true })
  }

  /** The caller of a domain function: the principal and the request. */
  caller(
    principal: Principal,
    request: Pick<Caller<never>, 'requestId' | 'operation' | RequestPart>,
  ): Caller<never> {
    const { workspaceId, view, type, id, userId, scopes, roles, session } = principal
    const { allowedCidrs, expiresAt, details, server, mayExceedAppetite: mayExceed } = principal
    return {
      database: this.#database,
      workspaceId,
      view,
      server,
      actor: { type, id, user_id: userId },
      scopes,
      roles,
      mayExceedAppetite: mayExceed,
      session: session && {
        id: session.id,
        // The cast holds because sessions are started only with methods of the contract.
        method: session.method as Session['method'],
        authenticated_at: session.authenticatedAt,
      },
      isSignInRecent: session === null || session.isRecent,
      allowedCidrs,
      expiresAt,
      details,
      ...this.#settings,
      ...request,
    }
  }

  #find(credential: CredentialHash): Promise<Found | null> {
    return new Promise((admit, refuse) => {
      const { workspaceId, hash, isSession, isDetailed = false } = credential
      const id = `${workspaceId} ${isSession} ${isDetailed} ${hash.toString('latin1')}`
      const line = this.#asked[this.#found.has(id) ? 'known' : 'unknown']
      const asked = line.get(id)
      if (asked) asked.waiting.push({ admit, refuse })
      else line.set(id, { credential, waiting: [{ admit, refuse }] })
      this.#askSoon()
    })
  }

  /** Asks at the end of this turn of the event loop, so that all its requests share the query. */
  #askSoon(): void {
    const { known, unknown } = this.#asked
    if (this.#isAsking || known.size + unknown.size === 0) return
    this.#isAsking = true
    setImmediate(() => void this.#ask())
  }

  async #ask(): Promise<void> {
    const { known, unknown } = this.#asked
    const batch = [...takeFirst(known, askedMax.known), ...takeFirst(unknown, askedMax.unknown)]
    try {
      const credentials = batch.map(([, { credential }]) => credential)
      const texts = await this.#database.authenticate((db) => selectPrincipals(db, credentials))
      for (const [id, { credential, waiting }] of batch) {
        const text = texts.get(credential)
        const found = text === undefined ? null : this.#read(id, text, credential)
        for (const { admit } of waiting) admit(found)
      }
    } catch (error) {
      for (const [, { waiting }] of batch) for (const { refuse } of waiting) refuse(error)
    } finally {
      this.#isAsking = false
      this.#askSoon()
    }
  }

  #read(id: string, text: string, { workspaceId }: CredentialHash): Found {
    const last = this.#found.get(id)
    if (last?.text === text) return last
    const stored = readPrincipal(text)
    const found = { text, stored, principal: presentPrincipal(stored, workspaceId) }
    if (this.#found.size >= foundMax) this.#found.clear()
    this.#found.set(id, found)
    return found
  }

  /** Runs in the background. If it fails, the next request tries again. */
  #recordUse({ workspaceId, keyId, session }: Principal, address: string): void {
    const use = { network: networkPrefix(address), time: this.#database.givenTime }
    this.#database
      .writeUnnumbered({ workspaceId }, async (read) => {
        // A sign-in also locks the key before its sessions.
        if (keyId !== null) await updateLastUse(read, keyId, use)
        if (session !== null) await updateSessionUse(read, session.id)
      })
      .catch(() => {})
  }

  /** Adds the refusal to the audit log. An unknown credential is anonymous. */
  #recordRefusal(stored: StoredPrincipal | null, refusal: Refused): void {
    const { workspaceId, problem, network, userAgent, isSignIn } = refusal
    this.#refusals?.record({
      workspaceId,
      type: isSignIn ? 'sign_in.failed' : 'request.refused',
      actor: stored === null ? systemActor : actorOf(stored),
      reason: problem,
      userId: stored?.person?.id ?? null,
      subjectId: stored === null ? null : (stored.session?.id ?? stored.keyId),
      network,
      userAgent: userAgent(),
    })
    if (stored !== null) this.#recordRefusedKey(stored, refusal).catch(() => {})
  }

  /**
   * Records an event when an ended key is used, or a key is used from a wrong network: at most one
   * an hour, which bounds the sequence numbers that its holder can take.
   */
  async #recordRefusedKey(
    { keyId, isRefusalDue }: StoredPrincipal,
    { workspaceId, problem, network }: Refused,
  ): Promise<void> {
    if (!isRefusalDue || keyId === null || !keyProblems.has(problem)) return
    await this.#database.write(system(this.#database, workspaceId), async (write) => {
      const key = await lockKey(write, keyId)
      const hourAgo = later(write.now, -1, 'hours')
      if (key === null || (key.refused_at !== null && key.refused_at >= hourAgo)) return
      updateKey(write, key, { ...key, refused_at: write.now })
      const data = { code: problem, from: network }
      write.record({ type: 'key.refused', subject: keyId, data })
    })
  }
}

function takeFirst(line: Map<string, Asked>, count: number): [string, Asked][] {
  const first = [...line.entries().take(count)]
  for (const [id] of first) line.delete(id)
  return first
}

type RequestPart = 'idempotentRequest' | 'onlyIf' | 'origin' | 'releaseDuring'

/**
 * The principal: the key or the person of a credential that passed authentication. Requests with
 * the same credential share it.
 */
export type Principal = Readonly<ReturnType<typeof presentPrincipal>>

function presentPrincipal(stored: StoredPrincipal, workspaceId: string) {
  const { keyId, person, ...rest } = stored
  const id = keyId ?? person?.id
  assert(id, 'a principal is a key or a person')
  // The casts hold because keys and roles are stored only with values of the contract.
  const keyScopes = stored.scopes as Scope[]
  const roles = (person?.roles ?? []) as RoleName[]
  const ownScopes = keyId === null ? scopesOfRoles(roles) : scopesInBoth(keyScopes, roles)
  return {
    ...rest,
    workspaceId,
    type: keyId === null ? ('person' as const) : ('key' as const),
    /** The id of the key or the person. */
    id,
    keyId,
    userId: person?.id ?? null,
    lineage: stored.lineage ?? id,
    roles: roleNames.filter((role) => roles.includes(role)),
    scopes: person === null ? keyScopes : ownScopes,
    mayExceedAppetite: mayExceed(stored, roles),
  }
}

/** A service key may, unless it is bound to projects. */
const mayExceed = ({ person, view }: StoredPrincipal, roles: readonly RoleName[]) =>
  view.isAll && (person === null || mayExceedAppetite(roles))

const actorOf = ({ keyId, person }: StoredPrincipal) => ({
  type: keyId === null ? ('person' as const) : ('key' as const),
  id: keyId ?? person?.id ?? null,
  user_id: person?.id ?? null,
})

type KeyProblem = 'key_revoked' | 'key_expired' | 'address_not_allowed'

type PersonProblem = 'session_ended' | 'person_not_active'

/** A credential that was refused. */
interface Refused extends Client {
  readonly workspaceId: string
  readonly problem: KeyProblem | PersonProblem | 'unknown_key'
  readonly network: string | null
}

const keyProblems: ReadonlySet<string> = new Set<KeyProblem>([
  'key_revoked',
  'key_expired',
  'address_not_allowed',
])

/** The reason to refuse a genuine credential; null if it is accepted. */
function reasonAgainst(
  { keyId, person, status, allowedCidrs }: StoredPrincipal,
  address: string,
): KeyProblem | PersonProblem | null {
  if (keyId === null) return person?.isActive ? null : 'session_ended'
  if (status === 'revoked') return 'key_revoked'
  if (status === 'expired') return 'key_expired'
  if (person !== null && !person.isActive) return 'person_not_active'
  return isAllowed(address, allowedCidrs) ? null : 'address_not_allowed'
}
