import { useSearch } from '@tanstack/react-router'

import type { Search } from '#data/search.ts'
import { daysFromToday } from '#text/dates.ts'

/** The days before today that the page offers to compare with. */
export const comparedDays = [7, 28, 91, 182] as const

const usual = 28

/** The day with whose beginning all numbers of the page are compared. The address has it. */
export function useSince(): string {
  const { since = '' } = useSearch({ strict: false }) as Search
  return isDay(since) ? since : daysFromToday(-usual)
}

/** Whether the service accepts it: an earlier day is too far from now. */
const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && text > daysFromToday(-400) && text <= daysFromToday(0)

/** The least number of risks and of days that can be compared. */
const [risksMin, daysMin] = [6, 28]

interface Few {
  readonly risks: number
  /** The first day with figures. */
  readonly first: string | undefined
}

/** Whether there is too little to compare: a change of one risk would be all of the change. */
export const isFew = ({ risks, first }: Few) =>
  risks < risksMin || (first !== undefined && first > daysFromToday(-daysMin))
