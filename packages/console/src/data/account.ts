import { queryOptions } from '@tanstack/react-query'

import { sendToRoute } from './browser-routes.ts'
import { client } from './client.ts'

/** The passkeys of the signed-in person. */
export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => client.passkeys.list({}, { signal }),
})

export interface StepUpMethods {
  /** Whether a passkey can sign people in. */
  readonly allows_passkeys: boolean
  readonly has_passkey: boolean
  /** Whether an account of the identity provider is bound to the person. */
  readonly has_account: boolean
  /** Whether another administrator can create a sign-in link for the person. */
  readonly has_other_administrator: boolean
}

/** How the signed-in person can sign in again. */
export const stepUpQuery = queryOptions({
  queryKey: ['account', 'step-up'],
  queryFn: async () => (await sendToRoute('/account/step-up')) as StepUpMethods,
  staleTime: 0,
})

/** The browsers in which the person is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => client.sessions.list({}, { signal }),
})

/** The personal keys that are not revoked. */
export const personalKeysQuery = queryOptions({
  queryKey: ['account', 'keys'],
  queryFn: ({ signal }) => client.personal_keys.list({}, { signal }),
})
