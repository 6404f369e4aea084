/** What an API key may be allowed to do. A `.manage` scope also grants its `.read`. */
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

/** In the order they are shown to people. The cast holds because `Scope` is this object's keys. */
export const scopes = Object.keys(grants) as Scope[]

/** What an operation asks of a key: a scope, any valid key, or no key at all. */
export type Access = Scope | 'any_key' | 'none'

/** What passing the check for `A` allows, as a type. */
export type Granted<A extends Access> = A extends Scope ? (typeof grants)[A][number] : never

export function isGranted(held: readonly Scope[], needed: Access): boolean {
  if (needed === 'any_key' || needed === 'none') return true
  return held.some((scope) => (grants[scope] as readonly Scope[]).includes(needed))
}
