import type { Key, KeyPatch, NewKey, NewSecret, Rotation } from '@muster/contract'

import { changedFields, isEmpty } from '#data/change/changes.ts'
import { runMutation } from '#data/change/mutation.ts'
import { resource } from '#data/change/resource.ts'
import { client } from '#data/client.ts'
import { invalidate } from '#data/query-client.ts'
import { t } from '#text/index.ts'

import type { Grantor } from './grantor.ts'

type KeyRef = Pick<Key, 'id'>

const toParams = ({ id }: KeyRef) => ({ key_id: id })

const keys = resource<Key, KeyRef, KeyPatch>({
  noun: 'keys',
  invalidates: ['keys'],
  view: (ref, options) => client.keys.view({ params: toParams(ref) }, options),
  update: (key, body, ifMatch) => client.keys.update({ params: toParams(key), body }, { ifMatch }),
})

export const keyQuery = keys.query

/** The response has the secret. It goes to the caller only and is not cached. */
export async function createKey(body: NewKey): Promise<NewSecret> {
  try {
    return await client.keys.create({ body })
  } finally {
    // Also after a lost response: the key may exist, without a usable secret.
    await invalidate('keys')
  }
}

/**
 * Returns null and sends nothing if no field changed. No undo if the caller's own key is bound to
 * networks: such a key cannot widen networks.
 */
export async function editKey(key: Key, wanted: KeyPatch, own: Grantor): Promise<Key | null> {
  const changes: KeyPatch = changedFields<KeyPatch>(key, wanted)
  if (isEmpty(changes)) return null
  const { undo, ...mutation } = keys.updating(
    key,
    changes,
    t('record.edited', { name: wanted.name ?? key.name }),
  )
  const canUndo = own.allowed_cidrs.length === 0 || changes.allowed_cidrs === undefined
  return runMutation({ ...mutation, ...(canUndo && undo && { undo }) })
}

/** Returns null after a conflict in which the user kept the other change. */
export const rotateKey = (key: Key, body: Rotation): Promise<NewSecret | null> =>
  runMutation<Key, NewSecret>({
    ...keys.base(key),
    send: (ifMatch) => client.keys.rotate({ params: toParams(key), body }, { ifMatch }),
    successMessage: t('key.rotated', { name: key.name }),
  })

export const revokeKey = (key: Key): Promise<Key | null> =>
  runMutation<Key, Key>({
    ...keys.base(key),
    send: (ifMatch) => client.keys.revoke({ params: toParams(key) }, { ifMatch }),
    successMessage: t('key.revoked', { name: key.name }),
  })

/** Refetches nothing: the session ends with the key. */
export const revokeOwnKey = () => client.keys.revoke_self()
