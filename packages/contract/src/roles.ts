import { type Scope, scopes } from './scopes.ts'

/** The scopes of each role, from the fewest rights to the most. Each role includes the one before. */
export const roleScopes = {
  reader: ['personnel.read', 'projects.read'],
  contributor: ['personnel.read', 'projects.manage'],
  manager: ['personnel.manage', 'projects.manage', 'workspace.read'],
  admin: scopes,
} as const satisfies Record<string, readonly Scope[]>

export type RoleName = keyof typeof roleScopes

/** In the order of their rights. The cast holds because `RoleName` is the keys of `roleScopes`. */
export const roleNames = Object.keys(roleScopes) as RoleName[]

/** The roles that accept risks above the appetite and change the appetite of a project. */
export const appetiteRoles: readonly RoleName[] = ['manager', 'admin']
