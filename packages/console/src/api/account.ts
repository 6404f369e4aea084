import { queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'

/** The passkeys of the signed-in person. */
export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => client.passkeys.list({}, { signal }),
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
