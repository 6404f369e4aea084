import { type Access, type Granted, type Rates, type Scope, scopes } from '@muster/contract'

import type { Author } from '#storage/engine/access'
import type { Database } from '#storage/engine/database'

declare const granted: unique symbol

/**
 * The authenticated principal of a request. `A` is the scope that authorization has checked, so a
 * function that takes `Caller<'personnel.manage'>` cannot serve an operation that requires `.read`.
 */
export interface Caller<A extends Access> extends Author {
  readonly database: Database
  /** The scopes of the key. It can grant no others to another key. */
  readonly scopes: readonly Scope[]
  /** The networks that the key is restricted to; empty for no restriction. */
  readonly allowedCidrs: readonly string[]
  /** When the key expires; null for never. */
  readonly expiresAt: string | null
  /** The versions of `If-Match`: a change requires that one of them is current; null for any. */
  readonly onlyIf: readonly number[] | null
  /** The rate limits of the caller; absent for administrators and the service itself. */
  readonly rates?: Rates
  /** Never set: a phantom type for the compiler. */
  readonly [granted]?: Readonly<Record<Granted<A>, true>>
}

/**
 * The same caller for a dry run, which reports the result and writes nothing. A dry run ignores the
 * Idempotency-Key: it neither reads nor stores an idempotency record.
 */
export const asDryRun = <A extends Access>(caller: Caller<A>, isDryRun = false): Caller<A> =>
  isDryRun ? { ...caller, isDryRun, idempotentRequest: null } : caller

/** Callers without a key have no network restriction and no expiry. */
const unrestricted = { allowedCidrs: [], expiresAt: null } as const

/** An administrator has database credentials, and so every scope in every workspace. */
export function administrator(database: Database, workspaceId: string) {
  const author = { type: 'admin', id: null } as const
  const caller: Caller<'personnel.manage'> &
    Caller<'projects.manage'> &
    Caller<'keys.manage'> &
    Caller<'workspace.manage'> = {
    database,
    workspaceId,
    actor: author,
    scopes,
    ...unrestricted,
    requestId: null,
    operation: null,
    idempotentRequest: null,
    onlyIf: null,
  }
  return caller
}

/** The service itself, for changes caused by time. */
export function system(database: Database, workspaceId: string): Caller<'projects.manage'> {
  const author = { type: 'system', id: null } as const
  const request = { requestId: null, operation: null, idempotentRequest: null, onlyIf: null }
  return { database, workspaceId, actor: author, scopes: [], ...unrestricted, ...request }
}
