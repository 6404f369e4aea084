import type { Assignment, Departure } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { allItems } from '#data/lists.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { t } from '#text/index.ts'

import { assignmentPages, assignmentsMax } from './queries.ts'

export type Counts = Departure['open_assignments']

const kinds = { projects: 'project', risks: 'risk', issues: 'issue', tasks: 'task' } as const

/** For example “2 risks, 1 task”, or “nothing”. */
export function countsText(counts: Counts): string {
  const texts = Object.entries(kinds)
    .map(([name, type]) => ({ type, count: counts[name as keyof Counts] }))
    .filter(({ count }) => count > 0)
    .map(({ type, count }) => t(`person.count.${type}`, { count }))
  return texts.length === 0 ? t('person.count.none') : texts.join(', ')
}

export function countsOf(assignments: readonly Assignment[]): Counts {
  const count = (type: Assignment['type']) =>
    assignments.filter((each) => each.type === type).length
  return {
    projects: count('project'),
    risks: count('risk'),
    issues: count('issue'),
    tasks: count('task'),
  }
}

/** The assigned work of a person, if the key may read it. */
export function useAssignments(userId: string) {
  const hiddenReason = useMissingScopeReason('projects.read')
  const query = useInfiniteQuery({ ...assignmentPages(userId), enabled: hiddenReason === null })
  const items = useMemo(() => allItems(query.data), [query.data])
  return {
    query,
    items,
    /** Why the work is hidden; null if it is not. */
    hiddenReason,
    /** True if the work is loaded and there is none. */
    isEmpty: query.isSuccess && items.length === 0,
    hasMore: query.hasNextPage,
  }
}

/** The counts of assigned work as a sentence. */
export function assignmentsSentence(
  name: string,
  { query, items, hasMore }: ReturnType<typeof useAssignments>,
): string {
  if (!query.isSuccess) return ''
  const held = countsText(countsOf(items))
  return hasMore
    ? t('person.assigned.more', { name, held, most: assignmentsMax })
    : t('person.assigned.counts', { name, held })
}
