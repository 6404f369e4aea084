import type { Key, Scope } from '@muster/contract'

import { useWhoami } from '#data/whoami.ts'
import { t } from '#text/index.ts'

/** The user as the author of keys: a new key cannot exceed these rights, networks and expiry. */
export interface Grantor {
  /** The id and the name of the own key; null for a person. */
  readonly key: Pick<Key, 'id' | 'name'> | null
  readonly scopes: readonly Scope[]
  /** Empty for any network. A person is not bound to networks. */
  readonly allowed_cidrs: readonly string[]
  /** Null if the rights do not expire. */
  readonly expires_at: string | null
}

export function useGrantor(): Grantor {
  const { key, scopes } = useWhoami()
  return {
    key,
    scopes,
    allowed_cidrs: key?.allowed_cidrs ?? [],
    expires_at: key?.expires_at ?? null,
  }
}

/** Why the user cannot change a key that has this scope. */
export const unheldScopeText = ({ key }: Grantor, scope: Scope) =>
  key === null ? t('key.not-held.person', { scope }) : t('key.not-held', { scope, name: key.name })
