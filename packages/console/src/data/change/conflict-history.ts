import type { HistoryEntry } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { type AuthorNames, historyPage, type ListResponse } from '#data/lists.ts'
import { useAuthorNames } from '#data/whoami.ts'
import { nounOfId } from '#text/values.ts'

import type { Conflict } from './conflict.ts'

interface Recorded {
  readonly id: string
  readonly project_id: string
  readonly updated_at: string
}

interface Paging {
  readonly limit: number
  readonly cursor?: string
  readonly include?: ('people' | 'keys')[]
}

type HistoryRequest = (resource: Recorded, query: Paging) => Promise<ListResponse<HistoryEntry>>

/** Requests for the history by the kind of the resource. */
const requests: Readonly<Record<string, HistoryRequest>> = {
  risk: ({ project_id, id }, query) =>
    client.risks.history({ params: { project_id, risk_id: id }, query }),
  issue: ({ project_id, id }, query) =>
    client.issues.history({ params: { project_id, issue_id: id }, query }),
  project: ({ id }, query) => client.projects.history({ params: { project_id: id }, query }),
  person: ({ id }, query) => client.personnel.history({ params: { user_id: id }, query }),
}

/** The changes that the user has not seen, oldest first; none if the resource has no history. */
export function useUnseenChanges({ base, theirs }: Conflict): readonly HistoryEntry[] {
  const names = useAuthorNames()
  // The cast holds for the resources that have a request above.
  const [seen, now] = [base as Recorded, theirs as Recorded]
  const request = 'id' in theirs ? requests[nounOfId(now.id)] : undefined
  const { data = [] } = useQuery({
    queryKey: ['keys', 'unseen-changes', now.id, now.updated_at],
    queryFn: () => (request ? lastPage(request, now, names) : []),
    enabled: request !== undefined,
  })
  return data.filter(({ occurred_at }) => occurred_at > seen.updated_at)
}

/** The history starts with the oldest change, so that the newest ones are on the last page. */
async function lastPage(request: HistoryRequest, resource: Recorded, names: AuthorNames) {
  let cursor: string | null = null
  for (;;) {
    const paging: Paging = { limit: 1000, ...(cursor !== null && { cursor }) }
    const page: ListResponse<HistoryEntry> = await request(resource, historyPage(paging, names))
    if (page.next_cursor === null) return page.data
    cursor = page.next_cursor
  }
}
