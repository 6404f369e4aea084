import {
  type Access,
  type Granted,
  type Rates,
  type RoleName,
  type Scope,
  scopes,
  type Whoami,
} from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import type { OidcClient, ProviderContact } from '#domain/oidc/oidc-client'
import type { Secrets } from '#domain/oidc/secrets'
import type { StoredPrincipal } from '#storage/nouns/principals'
import type { Author } from '#storage/statements/access'
import { View } from '#storage/statements/view'
import type { Database } from '#storage/transaction/database'

import type { RowTexts } from './row-texts.ts'
import type { SignInTestLimit } from './sign-in-test-limit.ts'
import type { SlugLimit } from './slug-limit.ts'

declare const granted: unique symbol

/**
 * The authenticated principal of a request. `A` is the scope that authorization has checked, so a
 * function that takes `Caller<'personnel.manage'>` cannot serve an operation that requires `.read`.
 */
export interface Caller<A extends Access> extends Author {
  readonly database: Database
  /** The scopes of the principal, who can give no others. */
  readonly scopes: readonly Scope[]
  /** The roles of the person; empty for a service key. */
  readonly roles: readonly RoleName[]
  /** Whether the principal may accept risks above the appetite, and change the appetite. */
  readonly mayExceedAppetite: boolean
  /** The session of the request; null for a key, an administrator or the service itself. */
  readonly session: Whoami['session']
  /** Whether the session was authenticated within the last 10 minutes; true without a session. */
  readonly isSignInRecent: boolean
  /** Where the request came from; null for commands and jobs. */
  readonly origin: Origin | null
  /** The networks that the key is restricted to; empty for no restriction. */
  readonly allowedCidrs: readonly string[]
  /** When the key expires; null for never. */
  readonly expiresAt: string | null
  /** The versions of `If-Match`: a change requires that one of them is current; null for any. */
  readonly onlyIf: readonly number[] | null
  /** The rate limits of the caller; absent for administrators and the service itself. */
  readonly rates?: Rates
  /** The origin at which browsers reach the service; null for jobs and most commands. */
  readonly publicUrl: string | null
  /** Access to the identity providers of workspaces; null for jobs and commands. */
  readonly identityProviders: IdentityProviders | null
  /** The limit of slugs that a workspace asks for; null for jobs and commands. */
  readonly slugLimit: SlugLimit | null
  /** The rows that were read before; null for jobs and commands. */
  readonly rowTexts: RowTexts | null
  /** Runs work that waits for another server. The request holds no place meanwhile. */
  readonly releaseDuring: ProviderContact['releaseDuring']
  /** What authentication read for `whoami`; null for other operations. */
  readonly details: StoredPrincipal['details']
  /** Never set: a phantom type for the compiler. */
  readonly [granted]?: Readonly<Record<Granted<A>, true>>
}

/**
 * The same caller for a dry run, which reports the result and writes nothing. A dry run ignores the
 * Idempotency-Key: it neither reads nor stores an idempotency record.
 */
export const asDryRun = <A extends Access>(caller: Caller<A>, isDryRun = false): Caller<A> =>
  isDryRun ? { ...caller, isDryRun, idempotentRequest: null } : caller

/** The protocol, the keys that encrypt client secrets, and the limit of tests. */
export interface IdentityProviders {
  readonly oidc: OidcClient
  readonly secrets: Secrets
  readonly testLimit: SignInTestLimit
}

/** The client of a request, for the audit log. */
export interface Origin {
  /** The truncated IP address. */
  readonly network: string | null
  readonly userAgent: string | null
}

/** The workspace to sign in to, and the browser that asks. */
export interface SignInPlace {
  readonly workspaceId: string
  readonly origin: Origin
}

/** The actor of what the service does by itself, and of requests without a known credential. */
export const systemActor = { type: 'system', id: null, user_id: null } as const

/** Callers without a credential have no restriction, no expiry and no request. */
const unrestricted = {
  view: View.all,
  allowedCidrs: [],
  expiresAt: null,
  roles: [],
  mayExceedAppetite: true,
  session: null,
  isSignInRecent: true,
  origin: null,
  publicUrl: null,
  identityProviders: null,
  slugLimit: null,
  rowTexts: null,
  releaseDuring: <T>(work: () => Promise<T>) => work(),
  requestId: null,
  operation: null,
  idempotentRequest: null,
  onlyIf: null,
  details: null,
} as const

/** The person who is signed in, or whose key it is. */
export function personOf(caller: Caller<never>): string {
  const { user_id } = caller.actor
  if (user_id === null) throw new Failure('not_a_person')
  return user_id
}

/** An administrator has database credentials, and so every scope in every workspace. */
export function administrator(database: Database, workspaceId: string) {
  const actor = { type: 'admin', id: null, user_id: null } as const
  const caller: Caller<'personnel.manage'> &
    Caller<'projects.manage'> &
    Caller<'keys.manage'> &
    Caller<'workspace.manage'> = {
    database,
    workspaceId,
    actor,
    scopes,
    ...unrestricted,
  }
  return caller
}

/** The service itself, for changes caused by time. */
export function system(database: Database, workspaceId: string): Caller<'projects.manage'> {
  return { database, workspaceId, actor: systemActor, scopes: [], ...unrestricted }
}
