import type { NewPersonalKey, NewSecret, Passkey, Session } from '@muster/contract'

import { runAction } from '#data/change/action.ts'
import { client } from '#data/client.ts'
import * as passkeys from '#data/passkeys.ts'
import { invalidate } from '#data/query-client.ts'
import { t } from '#text/index.ts'

const invalidates = ['account'] as const

/** Ends a session in another browser. */
export const endSession = ({ id }: Session) => ({
  send: () => client.sessions.end({ params: { session_id: id } }),
  invalidates,
  successMessage: t('sessions.ended'),
})

export const createPasskey = (name: string) =>
  runAction({
    send: () => passkeys.createPasskey(name),
    invalidates,
    successMessage: t('passkeys.created.done', { name }),
  })

export const renamePasskey = ({ id }: Passkey, name: string) =>
  runAction({
    send: () => client.passkeys.rename({ params: { passkey_id: id }, body: { name } }),
    invalidates,
    successMessage: t('passkeys.renamed'),
  })

export const removePasskey = ({ id, name }: Passkey) =>
  runAction({
    send: () => client.passkeys.remove({ params: { passkey_id: id } }),
    invalidates,
    successMessage: t('passkeys.removed', { name }),
  })

/** The response has the secret. It goes to the caller only and is not cached. */
export async function createPersonalKey(body: NewPersonalKey): Promise<NewSecret> {
  try {
    return await client.personal_keys.create({ body })
  } finally {
    await invalidate('account', 'keys')
  }
}

export const revokePersonalKey = (key: { readonly id: string; readonly name: string }) =>
  runAction({
    send: () => client.personal_keys.revoke({ params: { key_id: key.id } }),
    invalidates: ['account', 'keys'],
    successMessage: t('key.revoked', { name: key.name }),
  })
