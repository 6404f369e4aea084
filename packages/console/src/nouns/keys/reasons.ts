import type { Key } from '@muster/contract'

import { useMissingScopeReason } from '#data/whoami.ts'
import { t } from '#text/index.ts'

import { type Grantor, useGrantor } from './grantor.ts'
import { isHeld } from './scope-texts.ts'

export type KeyAction = 'edit' | 'rotate' | 'revoke'

/** Whether the action makes sense in the current state of the key. */
export function isPossible(action: KeyAction, key: Key): boolean {
  if (key.status === 'revoked') return false
  return action !== 'rotate' || (key.status === 'active' && key.replaced_by === null)
}

export interface KeyRights {
  readonly own: Grantor
  /** Why the caller cannot manage keys; null if they can. */
  readonly missingScope: string | null
}

export function useKeyRights(): KeyRights {
  return { own: useGrantor(), missingScope: useMissingScopeReason('keys.manage') }
}

/** Why the caller may not do each action; null if they may. */
export function reasonsFor(key: Key, { own, missingScope }: KeyRights) {
  return {
    edit: missingScope ?? unheldScopeReason(key, own),
    rotate: missingScope ?? rotationReason(key, own),
    // Every key may revoke itself, with any scopes.
    revoke: key.id === own.key?.id ? null : missingScope,
  }
}

function rotationReason(key: Key, own: Grantor): string | null {
  const isUnbound = key.id !== own.key?.id && key.allowed_cidrs.length === 0
  if (own.key !== null && own.allowed_cidrs.length > 0 && isUnbound)
    return t('key.is-unbound', { name: own.key.name })
  return unheldScopeReason(key, own)
}

/** The caller must hold every scope of the key to change or rotate it. */
function unheldScopeReason(key: Key, own: Grantor): string | null {
  const scope = key.scopes.find((each) => !isHeld(own.scopes, each))
  if (scope === undefined) return null
  return own.key === null
    ? t('key.not-held.person', { scope })
    : t('key.not-held', { scope, name: own.key.name })
}
