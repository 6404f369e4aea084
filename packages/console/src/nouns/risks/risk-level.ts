import type { Level, Risk, Scale } from '@muster/contract'

import { daysFromToday } from '#text/dates.ts'

/** The level of a score; low until the scale is loaded. */
export const levelOf = (scale: Scale | undefined, score: number): Level =>
  scale?.levels.find(({ score_max }) => score <= score_max)?.level ?? 'low'

/** Days until the next review by level: the higher the level, the sooner. */
const reviewDays: Readonly<Record<Level, number>> = { critical: 14, high: 30, medium: 90, low: 180 }

/** The intervals that forms offer, shortest first. */
export const reviewIntervals = Object.values(reviewDays)

/** The next review date that forms suggest for a level. */
export const suggestedReview = (level: Level) => daysFromToday(reviewDays[level])

/** On the register: neither closed nor occurred. */
export const isLive = ({ status }: { readonly status: string }) =>
  status !== 'closed' && status !== 'occurred'

/** Someone has accepted the risk, and the acceptance has not expired. */
export const isAccepted = ({ response, acceptance, flags }: Risk) =>
  response === 'accept' && acceptance !== null && !flags.includes('acceptance_expired')
