import type { Assignment } from '@muster/contract'
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'

import { daysUntil } from '#text/due.ts'

import { client } from './client.ts'
import { allItems, type ListResponse } from './lists.ts'
import { mergeList } from './live-lists.ts'

/** More than one person can do. The page says so if there is more. */
export const workMax = 1000

// Every change of an item refetches what belongs to people.
export const workKey = ['personnel', 'work'] as const

/** The assigned work of the person who is signed in, as one page. */
const workOptions = {
  queryKey: workKey,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<ListResponse<Assignment>> =>
    client.personnel.my_assignments({ query: { limit: workMax } }, { signal }),
  initialPageParam: null,
  getNextPageParam: () => null,
  // Items are shown by their day, so new values could move them.
  structuralSharing: mergeList(workKey, (before) => before),
} as const

type WorkPages = InfiniteData<ListResponse<Assignment>>

/** An item in a group. A risk is in two groups: its review, and the risks of the person. */
export interface WorkItem {
  readonly id: string
  readonly work: Assignment
  readonly group: WorkGroup
}

type WorkGroup = 'overdue' | 'week' | 'later' | 'none' | 'risks'

/** What is due within seven days is due this week. */
function groupOf(due_on: string | null): WorkGroup {
  if (due_on === null) return 'none'
  const days = daysUntil(due_on)
  if (days < 0) return 'overdue'
  return days <= 7 ? 'week' : 'later'
}

/** A risk without a date has no review; it is only among the risks of the person. */
const isDue = ({ type, due_on }: Assignment) =>
  type === 'issue' || type === 'task' || (type === 'risk' && due_on !== null)

const byDay = (a: Assignment, b: Assignment) => (a.due_on ?? '9').localeCompare(b.due_on ?? '9')

/** Reviews, issues and tasks by due date, then the own risks in the order of the register. */
function toItems(assignments: readonly Assignment[]): readonly WorkItem[] {
  const due = assignments
    .filter(isDue)
    .toSorted(byDay)
    .map((work) => ({ id: work.id, work, group: groupOf(work.due_on) }))
  const risks = assignments
    .filter(({ type }) => type === 'risk')
    .map((work) => ({ id: `own ${work.id}`, work, group: 'risks' as const }))
  return [...due, ...risks]
}

/** The work of the person in groups: those items that pass the test. */
export const workPages = (test: (item: WorkItem) => boolean) =>
  infiniteQueryOptions({
    ...workOptions,
    select: (list: WorkPages) => ({
      pages: [{ data: toItems(allItems(list)).filter(test) }],
      /** True if there is more work than the service sends at once. */
      isCut: list.pages.some(({ next_cursor }) => next_cursor !== null),
    }),
  })

/** The number of overdue items, for the sidebar. */
export const overdueCountQuery = infiniteQueryOptions({
  ...workOptions,
  select: (list: WorkPages) =>
    toItems(allItems(list)).filter(({ group }) => group === 'overdue').length,
  staleTime: 60_000,
})

/** The ids of the projects of the person, from the same response. */
export const ownProjectIdsQuery = infiniteQueryOptions({
  ...workOptions,
  select: (list: WorkPages) =>
    allItems(list)
      .filter(({ type }) => type === 'project')
      .map(({ id }) => id),
})
