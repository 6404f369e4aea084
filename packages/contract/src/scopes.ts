/** The scopes of API keys. A `.manage` scope also grants its `.read` scope. */
export const grants = {
  'personnel.read': ['personnel.read'],
  'personnel.manage': ['personnel.manage', 'personnel.read'],
  'projects.read': ['projects.read'],
  'projects.manage': ['projects.manage', 'projects.read'],
  'keys.read': ['keys.read'],
  'keys.manage': ['keys.manage', 'keys.read'],
  'workspace.read': ['workspace.read'],
  'workspace.manage': ['workspace.manage', 'workspace.read'],
} as const satisfies Record<string, readonly string[]>

export type Scope = keyof typeof grants

/** In display order. The cast holds because `Scope` is the keys of `grants`. */
export const scopes = Object.keys(grants) as Scope[]

/**
 * The authorization of an operation: a scope, any principal, a person (in a session or with a
 * personal key), or no credential.
 */
export type Access = Scope | 'any_principal' | 'person' | 'none'

/** The scopes that a successful check for `A` proves. */
export type Granted<A extends Access> = A extends Scope ? (typeof grants)[A][number] : never

export const isScope = (access: Access): access is Scope => Object.hasOwn(grants, access)

export function isGranted(held: readonly Scope[], needed: Access): boolean {
  if (!isScope(needed)) return true
  return held.some((scope) => (grants[scope] as readonly Scope[]).includes(needed))
}
