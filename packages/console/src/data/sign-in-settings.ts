import { queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'

export const signInSettingsQuery = queryOptions({
  queryKey: ['workspace', 'sign-in'],
  queryFn: ({ signal }) => client.sign_in.view({}, { signal }),
})
