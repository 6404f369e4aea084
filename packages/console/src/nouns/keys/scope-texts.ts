import type { boundScopes as scopesOfContract, Scope } from '@muster/contract'

import { t, type TextKey } from '#text/index.ts'

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
const allScopes = Object.keys(scopeTexts) as Scope[]

// The type keeps these equal to the scopes of the contract.
const boundScopes: typeof scopesOfContract = ['personnel.read', 'projects.read', 'projects.manage']

/** Whether a key of selected projects can have the scope. */
export const isBindable = (scope: Scope) => boundScopes.some((each) => each === scope)

/** The part of a scope before the dot. */
export type Area = Scope extends `${infer A}.${string}` ? A : never

const areaOf = (scope: Scope) => scope.split('.')[0] as Area

export const areas = [...new Set(allScopes.map(areaOf))]

export const scopesOf = (area: Area) => allScopes.filter((scope) => areaOf(scope) === area)

/** A `.manage` scope also grants its `.read`. */
export const isHeld = (held: readonly Scope[], scope: Scope) =>
  held.includes(scope) || held.some((each) => each === scope.replace(/\.read$/, '.manage'))

export const isManage = (scope: Scope) => scope.endsWith('.manage')

/** The widest scope of each area; null for an area without one. */
export const heldByArea = (held: readonly Scope[]) =>
  areas.map((area) => ({
    area,
    scope: scopesOf(area).findLast((scope) => held.includes(scope)) ?? null,
  }))

/** What scopes allow, in words: “Projects: read”, or “Everything: read” if all areas agree. */
export function mayTexts(held: readonly Scope[]): string[] {
  const granted = heldByArea(held).flatMap(({ area, scope }) =>
    scope === null ? [] : [{ area, level: isManage(scope) ? 'manage' : 'read' } as const],
  )
  const [first] = granted
  const isSame = granted.every(({ level }) => level === first?.level)
  if (first && isSame && granted.length === areas.length)
    return [t(`keys.may.${first.level}`, { area: t('keys.area.all') })]
  return granted.map(({ area, level }) => t(`keys.may.${level}`, { area: t(`keys.area.${area}`) }))
}

/** What scopes allow, in one line. */
export const mayText = (held: readonly Scope[]) => mayTexts(held).join(', ') || t('word.none')
