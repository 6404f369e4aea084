import { queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'

/** The settings of the workspace. Requires `workspace.read`. */
export const workspaceQuery = queryOptions({
  queryKey: ['workspace', 'one'],
  queryFn: ({ signal }) => client.workspace.view({}, { signal }),
})
