import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: ({ signal }) => client.projects.view({ params: { project_id: id } }, { signal }),
  })
