import type { Key, NewKey, NewSecret, Rotation } from '@muster/contract'

import { changedFields, isEmpty, previousValues } from '#data/change/changes.ts'
import { type Mutation, runMutation } from '#data/change/mutation.ts'
import { client } from '#data/client.ts'
import { invalidate } from '#data/query-client.ts'
import { t } from '#text/index.ts'

import type { Grantor } from './grantor.ts'
import { keyQueryKey } from './queries.ts'

const invalidates = ['keys'] as const

/** The parts that all mutations of a key share. */
const keyMutation = (key: Key) => {
  const params = { key_id: key.id }
  return {
    params,
    base: {
      resource: key,
      queryKey: keyQueryKey(key.id),
      fetchLatest: () => client.keys.view({ params }),
      invalidates,
    } as const satisfies Partial<Mutation<Key, unknown>>,
  }
}

/** The response has the secret. It goes to the caller only and is not cached. */
export async function createKey(body: NewKey): Promise<NewSecret> {
  try {
    return await client.keys.create({ body })
  } finally {
    // Also after a lost response: the key may exist, without a usable secret.
    await invalidate(...invalidates)
  }
}

/** The editable fields of a key. */
export type KeyAttributes = Pick<Key, 'name' | 'allowed_cidrs' | 'responsible_user_id'>

/** No undo if the caller's own key is bound to networks: such a key cannot widen networks. */
export async function updateKey(
  key: Key,
  wanted: Partial<KeyAttributes>,
  own: Grantor,
): Promise<Key | null> {
  const { params, base } = keyMutation(key)
  const body = changedFields<KeyAttributes>(key, wanted)
  if (isEmpty(body)) return key
  return runMutation<Key, Key>({
    ...base,
    optimistic: body,
    send: (ifMatch) => client.keys.update({ params, body }, { ifMatch }),
    successMessage: t('key.updated', { name: wanted.name ?? key.name }),
    ...((own.allowed_cidrs.length === 0 || body.allowed_cidrs === undefined) && {
      undo: ({ version }, before) =>
        client.keys.update({ params, body: previousValues(before, body) }, { ifMatch: version }),
    }),
  })
}

/** Returns null after a conflict in which the user kept the other change. */
export function rotateKey(key: Key, body: Rotation): Promise<NewSecret | null> {
  const { params, base } = keyMutation(key)
  return runMutation<Key, NewSecret>({
    ...base,
    send: (ifMatch) => client.keys.rotate({ params, body }, { ifMatch }),
    successMessage: t('key.rotated', { name: key.name }),
  })
}

export function revokeKey(key: Key): Promise<Key | null> {
  const { params, base } = keyMutation(key)
  return runMutation<Key, Key>({
    ...base,
    send: (ifMatch) => client.keys.revoke({ params }, { ifMatch }),
    successMessage: t('key.revoked', { name: key.name }),
  })
}

/** Refetches nothing: the session ends with the key. */
export const revokeOwnKey = () => client.keys.revoke_self()
