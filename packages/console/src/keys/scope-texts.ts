import type { Scope } from '@muster/contract'

import type { TextKey } from '#text/index.ts'

/** In display order. The type requires an entry for every scope of the contract. */
export const scopeTexts = {
  'personnel.read': 'keys.allows.personnel.read',
  'personnel.manage': 'keys.allows.personnel.manage',
  'projects.read': 'keys.allows.projects.read',
  'projects.manage': 'keys.allows.projects.manage',
  'keys.read': 'keys.allows.keys.read',
  'keys.manage': 'keys.allows.keys.manage',
  'workspace.read': 'keys.allows.workspace.read',
  'workspace.manage': 'keys.allows.workspace.manage',
} as const satisfies Record<Scope, TextKey>

// The cast holds because the keys are exactly the scopes.
export const allScopes = Object.keys(scopeTexts) as Scope[]

/** The part of a scope before the dot. */
export type Area = Scope extends `${infer A}.${string}` ? A : never

const areaOf = (scope: Scope) => scope.split('.')[0] as Area

export const areas = [...new Set(allScopes.map(areaOf))]

export const scopesOf = (area: Area) => allScopes.filter((scope) => areaOf(scope) === area)

/** A `.manage` scope also grants its `.read`. */
export const isHeld = (held: readonly Scope[], scope: Scope) =>
  held.includes(scope) || held.some((each) => each === scope.replace(/\.read$/, '.manage'))
