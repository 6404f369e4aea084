import { ProblemError } from '@muster/client'
import type { Issue, Risk, RiskSummary } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { pagesOf } from '#api/lists.ts'
import type { Search } from '#api/search.ts'

/** The register as far as the filters leave it, page by page. */
export const registerPages = (filters: Search, seesPeople: boolean) =>
  pagesOf({
    noun: 'risks',
    key: ['register', filters, seesPeople],
    page: (paging, signal) =>
      client.risks.list(
        { query: { ...filters, ...paging, ...(seesPeople && { include: ['people'] }) } },
        { signal },
      ),
  })

export const riskSummaryQuery = (filters: Search, basis: RiskSummary['basis']) =>
  queryOptions({
    queryKey: ['risks', 'summary', filters, basis],
    queryFn: ({ signal }) => client.risks.summary({ query: { ...filters, basis } }, { signal }),
    placeholderData: (before) => before,
  })

/** The scale is fixed, so it is asked for once. */
export const scaleQuery = queryOptions({
  queryKey: ['keys', 'scale'],
  queryFn: ({ signal }) => client.risks.scale({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export type RiskPlace = Pick<Risk, 'project_id' | 'id'>

const paramsOf = ({ project_id, id }: RiskPlace) => ({ project_id, risk_id: id })

export const riskKey = ({ id }: RiskPlace) => ['risks', 'one', id] as const

export const riskQuery = (place: RiskPlace) =>
  queryOptions({
    queryKey: riskKey(place),
    queryFn: ({ signal }) => client.risks.view({ params: paramsOf(place) }, { signal }),
  })

export const riskHistory = (place: RiskPlace) =>
  pagesOf({
    noun: 'risks',
    key: ['history', place.id],
    page: (paging, signal) =>
      client.risks.history({ params: paramsOf(place), query: paging }, { signal }),
    limit: 1000,
  })

/**
 * The issues that a risk led to, the last first. Null for one that is neither open nor in the
 * risk's own project any more.
 */
export const riskIssues = ({ project_id, issue_ids }: Risk, most: number) => {
  const ids = issue_ids.toReversed().slice(0, most)
  return queryOptions({
    queryKey: ['issues', 'of-risk', project_id, ...ids],
    queryFn: async ({ signal }) => {
      // An open issue moves on when its project is archived: wherever it is, the list knows it.
      const { data: open } = await client.issues.list(
        { query: { id: ids, limit: 100 } },
        { signal },
      )
      return Promise.all(
        ids.map(
          async (id) =>
            open.find((issue) => issue.id === id) ??
            (await closedIssue({ project_id, id }, signal)),
        ),
      )
    },
    enabled: ids.length > 0,
  })
}

async function closedIssue(
  { project_id, id }: RiskPlace,
  signal: AbortSignal,
): Promise<Issue | null> {
  try {
    return await client.issues.view({ params: { project_id, issue_id: id } }, { signal })
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}
