import type { Assignment, Departure } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'

import { itemsOf } from '#api/lists.ts'
import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { heldMost, heldPages } from './queries.ts'

export type Counts = Departure['open_assignments']

const kinds = { projects: 'project', risks: 'risk', issues: 'issue', tasks: 'task' } as const

/** “2 risks, 1 task”, or “nothing”. */
export function heldText(counts: Counts): string {
  const told = Object.entries(kinds)
    .map(([name, type]) => ({ type, count: counts[name as keyof Counts] }))
    .filter(({ count }) => count > 0)
    .map(({ type, count }) => t(`person.held.${type}`, { count }))
  return told.length === 0 ? t('person.held.nothing') : told.join(', ')
}

const totalOf = (counts: Counts) => Object.values(counts).reduce((sum, count) => sum + count, 0)

function countsOf(held: readonly Assignment[]): Counts {
  const count = (type: Assignment['type']) => held.filter((each) => each.type === type).length
  return {
    projects: count('project'),
    risks: count('risk'),
    issues: count('issue'),
    tasks: count('task'),
  }
}

/** What is in someone's hands, as far as the key may know. */
export function useHeld(userId: string) {
  const unseen = useReasonAgainst('projects.read')
  const query = useInfiniteQuery({ ...heldPages(userId), enabled: unseen === null })
  const counts = query.data && countsOf(itemsOf(query.data))
  return {
    query,
    /** Why it cannot be seen; null when it can. */
    unseen,
    counts,
    /** Whether it is known that there is nothing. */
    isNothing: counts !== undefined && totalOf(counts) === 0,
    isMore: query.hasNextPage,
  }
}

/** How much someone holds, in a sentence. */
export function heldSentence(name: string, { counts, isMore }: ReturnType<typeof useHeld>): string {
  if (counts === undefined) return ''
  const held = heldText(counts)
  return isMore
    ? t('person.holds.more', { name, held, most: heldMost })
    : t('person.holds.counts', { name, held })
}
