import type { NewSignInSettings } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { runAction } from '#ui/action.ts'

export const signInSettingsQuery = queryOptions({
  queryKey: ['workspace', 'sign-in'],
  queryFn: ({ signal }) => client.sign_in.view({}, { signal }),
})

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
