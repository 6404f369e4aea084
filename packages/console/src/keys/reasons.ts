import type { Key } from '@muster/contract'

import { useMissingScopeReason, useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { isHeld } from './scope-texts.ts'

/** Why each action is disabled; null if it is enabled. */
export function useDisabledReasons(key: Key) {
  const { key: own } = useWhoami()
  const missingScope = useMissingScopeReason('keys.manage')
  const isRevoked = key.status === 'revoked' ? t('key.is-revoked') : null
  return {
    edit: missingScope ?? isRevoked ?? unheldScopeReason(key, own),
    rotate: missingScope ?? rotationReason(key, own),
    // Every key may revoke itself, whatever its scopes.
    revoke: isRevoked ?? (key.id === own.id ? null : missingScope),
  }
}

function rotationReason(key: Key, own: Key): string | null {
  if (key.status === 'revoked') return t('key.is-revoked')
  if (key.status === 'expired') return t('key.is-expired')
  if (key.replaced_by !== null) return t('key.is-replaced')
  const isUnbound = key.id !== own.id && key.allowed_cidrs.length === 0
  if (own.allowed_cidrs.length > 0 && isUnbound) return t('key.is-unbound', { name: own.name })
  return unheldScopeReason(key, own)
}

/** The caller must hold every scope of the key to change or rotate it. */
function unheldScopeReason(key: Key, own: Key): string | null {
  const scope = key.scopes.find((each) => !isHeld(own.scopes, each))
  return scope === undefined ? null : t('key.not-held', { scope, name: own.name })
}
