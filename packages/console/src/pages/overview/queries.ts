import type { ListedProject, RegisterEntry, Task, TrendPoint } from '@muster/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import type { ExposurePoint } from '#kit/charts/exposure-layout.ts'
import type { ListedIssue } from '#nouns/issues/queries.ts'
import { daysFromToday } from '#text/dates.ts'

/** How far back the chart reaches. */
export const ranges = ['3', '9', 'all'] as const
export type TrendRange = (typeof ranges)[number]

/** A day for each pixel or two; all the past by week, as the service sends at most 800 points. */
const requests = {
  '3': { days: 91, step: 'day' },
  '9': { days: 274, step: 'day' },
  all: { days: 5000, step: 'week' },
} as const

/** The figures of past days, the earliest first. */
export const trendQuery = (range: TrendRange) =>
  queryOptions({
    queryKey: ['projects', 'trend', range],
    queryFn: async ({ signal }) => {
      const { days, step } = requests[range]
      const query = { from: daysFromToday(-days), step }
      const { points } = await client.trend.view({ query }, { signal })
      return points.map(toPoint)
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

const toPoint = (point: TrendPoint): ExposurePoint => ({
  day: point.day,
  exposure: point.exposure,
  byLevel: point.exposure_by_level,
  above: point.above_appetite - point.above_appetite_accepted,
  occurred: point.occurred,
})

/** The figures of each project, by week: of a day each, those of many projects are too many. */
export const projectTrendsQuery = queryOptions({
  queryKey: ['projects', 'trend', 'projects'],
  queryFn: ({ signal }) => {
    const query = {
      from: daysFromToday(-requests['9'].days),
      step: 'week' as const,
      include: ['projects' as const],
    }
    return client.trend.view({ query }, { signal })
  },
  staleTime: 30_000,
})

/** The most projects whose health is counted. */
const projectsMax = 200

/** The projects that are not archived, up to a number, and how many there are. */
export const projectsQuery = queryOptions({
  queryKey: ['projects', 'overview'],
  queryFn: async ({ signal }) => {
    const query = { limit: projectsMax, include: ['total_count' as const] }
    const { data, total_count } = await client.projects.list({ query }, { signal })
    return {
      projects: data,
      count: total_count ?? data.length,
      isComplete: data.length === total_count,
    }
  },
})

/** Projects by id, which the list above may lack. */
export const namedProjectsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['projects', 'overview', ids],
    queryFn: async ({ signal }): Promise<readonly ListedProject[]> =>
      (await client.projects.list({ query: { id: [...ids] } }, { signal })).data,
    enabled: ids.length > 0,
  })

/** What is due from today to the seventh day from now. */
export const dueSoonQuery = queryOptions({
  queryKey: ['personnel', 'due-soon'],
  queryFn: async ({ signal }) => {
    const [from, before] = [daysFromToday(0), daysFromToday(8)]
    const due = { due_from: from, due_before: before }
    const tasksQuery = { ...due, limit: 1, include: ['total_count' as const] }
    const [reviews, issues, tasks] = await Promise.all([
      client.risks.summary({ query: { review_from: from, review_before: before } }, { signal }),
      client.issues.summary({ query: due }, { signal }),
      client.tasks.list({ query: tasksQuery }, { signal }),
    ])
    return { reviews: reviews.count, issues: issues.count, tasks: tasks.total_count ?? 0 }
  },
})

const lateMax = 2

export interface LateItems {
  readonly risks: readonly RegisterEntry[]
  readonly issues: readonly ListedIssue[]
  readonly tasks: readonly Task[]
}

/** The worst of what is late. */
export const lateQuery = queryOptions({
  queryKey: ['personnel', 'late'],
  queryFn: async ({ signal }): Promise<LateItems> => {
    const [risks, issues, tasks] = await Promise.all([
      client.risks.list({ query: { flag: ['review_overdue'], limit: lateMax } }, { signal }),
      client.issues.list({ query: { flag: ['overdue'], limit: lateMax } }, { signal }),
      client.tasks.list({ query: { due_before: daysFromToday(0), limit: lateMax } }, { signal }),
    ])
    return { risks: risks.data, issues: issues.data, tasks: tasks.data }
  },
})
