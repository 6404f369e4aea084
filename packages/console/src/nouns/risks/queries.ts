import { ProblemError } from '@muster/client'
import type { Issue, PersonName, ProjectName, Risk, RiskSummary } from '@muster/contract'
import { queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { type AuthorNames, historyPage, pagedQuery } from '#data/lists.ts'
import type { Search } from '#data/search.ts'

/** A live or closed risk in a list of all projects. */
export interface ListedRisk extends Risk {
  readonly project: ProjectName
  /** The position in the register as it is filtered; missing for a closed risk. */
  readonly rank?: number
  /** Missing if the user may not see people. */
  readonly owner?: PersonName | null
}

/** The live risks, ranked, or the occurred and closed ones, the latest first. */
export const riskPages = (isClosed: boolean, filters: Search, seesPeople: boolean) =>
  pagedQuery<ListedRisk>({
    noun: 'risks',
    key: [isClosed ? 'closed' : 'register', filters, seesPeople],
    page: (paging, signal) => {
      const include = seesPeople && { include: ['people' as const] }
      const query = { ...filters, ...paging, ...include }
      return client.risks[isClosed ? 'list_closed' : 'list']({ query }, { signal })
    },
  })

/** Above the appetite of the project, and no one has accepted it. */
export const aboveAppetite: Search = { flag: 'above_appetite', accepted: 'false' }

/** The filters of the views of live risks. Without a person there are no own ones. */
export const riskViewQueries = (me: string | undefined): Readonly<Record<string, Search>> => ({
  ...(me !== undefined && { mine: { owner_user_id: me } }),
  attention: {},
  above: aboveAppetite,
})

/** The acceptances that match the filters, latest first. Risk and time identify one. */
export const acceptancePages = (filters: Search, seesPeople: boolean) =>
  pagedQuery({
    noun: 'risks',
    key: ['acceptances', filters, seesPeople],
    page: async (paging, signal) => {
      const query = { ...filters, ...paging, ...(seesPeople && { include: ['people' as const] }) }
      const page = await client.acceptances.list({ query }, { signal })
      const data = page.data.map((each) => ({ ...each, id: `${each.risk_id} ${each.accepted_at}` }))
      return { ...page, data }
    },
  })

/** The number of all closed risks. */
export const closedRiskCountQuery = queryOptions({
  queryKey: ['risks', 'closed-count'],
  queryFn: async ({ signal }) => {
    const query = { limit: 1, include: ['total_count' as const] }
    return (await client.risks.list_closed({ query }, { signal })).total_count ?? null
  },
})

export const riskSummaryQuery = (filters: Search, basis: RiskSummary['basis']) =>
  queryOptions({
    queryKey: ['risks', 'summary', filters, basis],
    queryFn: ({ signal }) => client.risks.summary({ query: { ...filters, basis } }, { signal }),
    placeholderData: (before) => before,
  })

/** The user ids of suspended people. The service filters by at most 50 owners. */
export const suspendedQuery = queryOptions({
  queryKey: ['personnel', 'suspended'],
  queryFn: async ({ signal }) => {
    const { data } = await client.personnel.list(
      { query: { status: ['suspended'], limit: filterValuesMax } },
      { signal },
    )
    return data.map(({ id }) => id)
  },
  staleTime: 60_000,
})

/** The highest-ranked risks that match the filters. */
export const worstRisksQuery = (filters: Search) =>
  queryOptions({
    queryKey: ['risks', 'worst', filters],
    queryFn: async ({ signal }) =>
      (await client.risks.list({ query: { ...filters, limit: filterValuesMax } }, { signal })).data,
  })

/** The limit of the API for the values of a filter. */
export const filterValuesMax = 50

/** Which of these risks have an open task. At most 50. */
export const treatedQuery = (riskIds: readonly string[]) =>
  queryOptions({
    queryKey: ['tasks', 'treated', riskIds],
    queryFn: async ({ signal }) => {
      const { data } = await client.tasks.list(
        { query: { risk_id: [...riskIds], limit: 1000 } },
        { signal },
      )
      return data.flatMap(({ risk_id }) => (risk_id === null ? [] : [risk_id]))
    },
    enabled: riskIds.length > 0,
    staleTime: 60_000,
  })

/** The scale never changes, so it is fetched once. */
export const scaleQuery = queryOptions({
  queryKey: ['keys', 'scale'],
  queryFn: ({ signal }) => client.risks.scale({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export type RiskRef = Pick<Risk, 'project_id' | 'id'>

export const toParams = ({ project_id, id }: RiskRef) => ({ project_id, risk_id: id })

export const riskHistory = (riskRef: RiskRef, names: AuthorNames) =>
  pagedQuery({
    noun: 'risks',
    key: ['history', riskRef.id, names],
    page: (paging, signal) =>
      client.risks.history(
        { params: toParams(riskRef), query: historyPage(paging, names) },
        { signal },
      ),
    limit: 1000,
  })

/**
 * The issues of a risk, newest first. Null for an issue that is closed and no longer in the project
 * of the risk.
 */
export const riskIssues = ({ project_id, issue_ids }: Risk, issuesMax: number) => {
  const ids = issue_ids.toReversed().slice(0, issuesMax)
  return queryOptions({
    queryKey: ['issues', 'of-risk', project_id, ...ids],
    queryFn: async ({ signal }) => {
      // Open issues may have been transferred to another project: the list finds them anywhere.
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
  { project_id, id }: RiskRef,
  signal: AbortSignal,
): Promise<Issue | null> {
  try {
    return await client.issues.view({ params: { project_id, issue_id: id } }, { signal })
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}
