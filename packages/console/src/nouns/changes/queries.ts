import type { ChangedIssue, ChangedProject, ChangedRisk } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'

export type Changes = Awaited<ReturnType<typeof client.changes.view>>
export type ChangeEntry = ChangedRisk | ChangedIssue | ChangedProject

/** Two points in time, and what to look at between them. */
export interface ChangesInterval {
  readonly since: string
  readonly until?: string
  readonly project_id?: string[]
  readonly owner_user_id?: string[]
}

/** What changed between the points, with the last scores of each risk. */
export const changesQuery = (interval: ChangesInterval) =>
  queryOptions({
    // Every change of an item refetches what belongs to projects.
    queryKey: ['projects', 'changes', interval],
    queryFn: ({ signal }) =>
      client.changes.view({ query: { ...interval, include: ['scores'] } }, { signal }),
    staleTime: 30_000,
  })
