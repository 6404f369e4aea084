import { queryOptions } from '@tanstack/react-query'

import { client } from './client.ts'

/** The settings of the workspace, which only a key with `workspace.read` may see. */
export const workspaceQuery = queryOptions({
  queryKey: ['workspace', 'one'],
  queryFn: ({ signal }) => client.workspace.view({}, { signal }),
})
