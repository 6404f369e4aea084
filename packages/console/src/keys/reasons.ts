import type { Key } from '@muster/contract'

import { useReasonAgainst, useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { isHeld } from './scope-words.ts'

/** Why each of what is done to a key cannot be done now; null where it can. */
export function useReasonsAgainst(key: Key) {
  const { key: own } = useWhoami()
  const mayNot = useReasonAgainst('keys.manage')
  const isRevoked = key.status === 'revoked' ? t('key.is-revoked') : null
  return {
    edit: mayNot ?? isRevoked ?? againstUnheld(key, own),
    rotate: mayNot ?? againstRotation(key, own),
    // Any key may end itself, whatever its scopes.
    revoke: isRevoked ?? (key.id === own.id ? null : mayNot),
  }
}

function againstRotation(key: Key, own: Key): string | null {
  if (key.status === 'revoked') return t('key.is-revoked')
  if (key.status === 'expired') return t('key.is-expired')
  if (key.replaced_by !== null) return t('key.is-replaced')
  const isUnbound = key.id !== own.id && key.allowed_cidrs.length === 0
  if (own.allowed_cidrs.length > 0 && isUnbound) return t('key.is-unbound', { name: own.name })
  return againstUnheld(key, own)
}

/** Changing or rotating a key needs every scope that it holds. */
function againstUnheld(key: Key, own: Key): string | null {
  const scope = key.scopes.find((each) => !isHeld(own.scopes, each))
  return scope === undefined ? null : t('key.not-held', { scope, name: own.name })
}
