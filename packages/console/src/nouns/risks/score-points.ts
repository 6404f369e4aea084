import type { HistoryEntry, Risk } from '@muster/contract'

export const dayMs = 86_400_000

export interface Point {
  readonly score: number
  /** In milliseconds. */
  readonly time: number
}

/** The score after each change. A risk that was never reviewed has one. */
export function scorePoints(
  risk: Pick<Risk, 'score' | 'created_at'>,
  entries: readonly Pick<HistoryEntry, 'changes' | 'occurred_at'>[],
): readonly Point[] {
  const points = entries.flatMap(({ changes, occurred_at }) => {
    const to = changes.find(({ field }) => field === 'score')?.to
    return typeof to === 'number' ? [{ score: to, time: Date.parse(occurred_at) }] : []
  })
  return points.length > 0 ? points : [{ score: risk.score, time: Date.parse(risk.created_at) }]
}

/** From the first score, or a week ago, to the date of the target, or to some time after today. */
export function timeRange(points: readonly Point[], dueOn: string | null, now = Date.now()) {
  const start = Math.min(points[0]?.time ?? now, now - 7 * dayMs)
  const later = now + (now - start) * 0.15
  const due = dueOn === null ? 0 : Date.parse(`${dueOn}T00:00:00Z`)
  return { start, now, end: due > now ? due : later }
}
