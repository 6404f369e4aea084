import { type Access, type Granted, type Rates, type Scope, scopes } from '@muster/contract'

import type { Author, Database } from '#storage/database'

declare const granted: unique symbol

/**
 * Who is asking. `A` is what the door checked their key for, so a function that takes
 * `Caller<'personnel.manage'>` cannot be bound to an operation that asks only for `.read`.
 */
export interface Caller<A extends Access> extends Author {
  readonly database: Database
  /** What their key was given: it can give no more to another. */
  readonly scopes: readonly Scope[]
  /** The networks that their key is bound to; empty when it may be used from anywhere. */
  readonly allowedCidrs: readonly string[]
  /** When their key ends; null for never. */
  readonly expiresAt: string | null
  /** The versions one of which must be the present one, for a change to be made; null for any. */
  readonly onlyIf: readonly number[] | null
  /** How often the caller may ask; absent for those whom nobody counts. */
  readonly rates?: Rates
  /** Never set; it exists for the compiler. */
  readonly [granted]?: Readonly<Record<Granted<A>, true>>
}

/**
 * The same caller, who only wants to know what would become of it. A rehearsal cannot be repeated,
 * only done again: it leaves no record under its Idempotency-Key, and does not meet one.
 */
export const rehearsing = <A extends Access>(caller: Caller<A>, isRehearsal = false): Caller<A> =>
  isRehearsal ? { ...caller, isRehearsal, repeatable: null } : caller

/** Callers without a key are bound to no network and do not expire. */
const unbounded = { allowedCidrs: [], expiresAt: null } as const

/** Whoever holds the credential of the database may do anything in any of its workspaces. */
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
    ...unbounded,
    requestId: null,
    repeatable: null,
    onlyIf: null,
  }
  return caller
}

/** The service itself, when time has made something true. */
export function system(database: Database, workspaceId: string): Caller<'projects.manage'> {
  const author = { type: 'system', id: null } as const
  const occasion = { requestId: null, repeatable: null, onlyIf: null }
  return { database, workspaceId, actor: author, scopes: [], ...unbounded, ...occasion }
}
