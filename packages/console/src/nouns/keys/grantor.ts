import type { Key, Scope } from '@muster/contract'

import { useWhoami } from '#data/whoami.ts'

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
