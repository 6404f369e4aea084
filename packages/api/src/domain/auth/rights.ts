/** Rights: what roles and scopes allow, and the rule that they are given only by who has them. */

import {
  appetiteRoles,
  isGranted,
  type RoleName,
  roleScopes,
  type Scope,
  scopes,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'

/** A scope, or the right to exceed the appetite of a project. */
export type Right = Scope | 'risk_appetite'

/** The scopes of a set of roles, with each `.read` that a `.manage` includes. */
export function scopesOfRoles(roles: readonly RoleName[]): Scope[] {
  const held = roles.flatMap((role): readonly Scope[] => roleScopes[role])
  return scopes.filter((scope) => isGranted(held, scope))
}

/** The scopes that a personal key and the roles of its person both have. */
export function scopesInBoth(keyScopes: readonly Scope[], roles: readonly RoleName[]): Scope[] {
  return scopesOfRoles(roles).filter((scope) => isGranted(keyScopes, scope))
}

export const mayExceedAppetite = (roles: readonly RoleName[]) =>
  roles.some((role) => appetiteRoles.includes(role))

/** Who gives a right: their scopes, and whether they may exceed an appetite. */
type Giver = Pick<Caller<never>, 'scopes' | 'mayExceedAppetite'>

const has = ({ scopes: held, mayExceedAppetite: mayExceed }: Giver, right: Right) =>
  right === 'risk_appetite'
    ? mayExceed && isGranted(held, 'projects.manage')
    : isGranted(held, right)

export const everyRight: readonly Right[] = [...scopes, 'risk_appetite']

/** The rights that the caller has. */
export const rightsOfCaller = (caller: Giver): Right[] =>
  everyRight.filter((right) => has(caller, right))

export const isEveryRight = (rights: readonly string[]) =>
  everyRight.every((right) => rights.includes(right))

export const rightsOfRoles = (roles: readonly RoleName[]): Right[] => [
  ...scopesOfRoles(roles),
  ...(mayExceedAppetite(roles) ? (['risk_appetite'] as const) : []),
]

/** The rights of these roles that the caller does not have. */
export const missingRights = (caller: Giver, roles: readonly RoleName[]): Right[] =>
  rightsOfRoles(roles).filter((right) => !has(caller, right))

/** Whether a person who had one role, or none, has more rights with another. */
export function isMore(before: RoleName | undefined, after: RoleName): boolean {
  const held = before === undefined ? [] : rightsOfRoles([before])
  return rightsOfRoles([after]).some((right) => !held.includes(right))
}

/**
 * Whether a caller may see a project and what is in it. Whatever sends something about a project
 * to someone calls this function when it is sent.
 */
export const mayRead = (
  { scopes: held, view }: Pick<Caller<never>, 'scopes' | 'view'>,
  projectId: string,
): boolean => isGranted(held, 'projects.read') && view.shows(projectId)

/** For operations that need another scope for a part of what they do. */
export function refuseWithoutScope(
  { scopes: held }: Pick<Caller<never>, 'scopes'>,
  scope: Scope,
  what: string,
): void {
  if (isGranted(held, scope)) return
  throw new Failure('insufficient_scope', `${what} requires the scope ${scope}.`, {
    required_scope: scope,
    granted_scopes: held,
  })
}

/** The rights of those who give access to others. */
const guarded: ReadonlySet<Scope> = new Set(['keys.manage', 'workspace.manage'])

/** Taking access from a person who gives access to others needs `workspace.manage`. */
export function refuseTaking(caller: Giver, roles: readonly RoleName[], userId: string): void {
  const held = scopesOfRoles(roles).filter((scope) => guarded.has(scope))
  if (held.length === 0 || isGranted(caller.scopes, 'workspace.manage')) return
  const detail = `${userId} has ${held.join(' and ')}, so this requires workspace.manage.`
  throw new Failure('beyond_your_rights', detail, { missing_rights: ['workspace.manage'] })
}

/** Giving a right needs that right. */
export function refuseBeyondRights(caller: Giver, roles: readonly RoleName[], what: string): void {
  const missing = missingRights(caller, roles)
  if (missing.length === 0) return
  const detail = `${what} gives ${missing.join(', ')}, which you do not have.`
  throw new Failure('beyond_your_rights', detail, { missing_rights: missing })
}

/** Needs every scope: for settings that decide who signs in as whom. */
export function refuseWithoutEveryScope(caller: Giver, what: string): void {
  refuseBeyondRights(caller, ['admin'], what)
}

/** Refuses what only managers and service keys may do: to exceed or change an appetite. */
export function refuseAppetite(caller: Giver, what: string): void {
  if (has(caller, 'risk_appetite')) return
  const detail = `${what} requires the role manager.`
  throw new Failure('beyond_your_rights', detail, { missing_rights: ['risk_appetite'] })
}
