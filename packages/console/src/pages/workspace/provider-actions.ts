import type { NewSignInSettings } from '@muster/contract'

import { runAction } from '#data/change/action.ts'
import { client } from '#data/client.ts'
import { t } from '#text/index.ts'

/** Checks an issuer without storing it. */
export const checkIssuer = (issuer: string) => client.sign_in.check({ body: { issuer } })

const invalidates = ['workspace', 'audit'] as const

export const setProvider = (body: NewSignInSettings) =>
  runAction({
    send: () => client.sign_in.replace({ body }),
    invalidates,
    successMessage: t('provider.saved'),
  })

export const removeProvider = () =>
  runAction({
    send: () => client.sign_in.remove(),
    invalidates,
    successMessage: t('provider.removed'),
  })
