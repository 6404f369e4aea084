import { type Level, rankKey, scale, severityKey } from '@muster/contract'

const ratings = [1, 2, 3, 4, 5] as const

export const score = (likelihood: number, impact: number): number => likelihood * impact

/** The scale in force at a sequence number. All workspaces have the same one, at all times. */
export const scaleAt = (_seq: number) => scale

/** The level of a score, as on the heat map. */
export function level(value: number, { levels } = scaleAt(Number.MAX_SAFE_INTEGER)): Level {
  const band = levels.find(({ score_max }) => value <= score_max)
  return band?.level ?? 'critical'
}

/** The rank of a cell of the matrix. */
const rankOf = (likelihood: number, impact: number): number =>
  rankKey({ score: score(likelihood, impact), impact })

export interface KeyRange {
  readonly low: number
  readonly high: number
  readonly from?: string | undefined
  readonly before?: string | undefined
}

const cells = ratings
  .flatMap((likelihood) => ratings.map((impact) => ({ likelihood, impact })))
  .toSorted((a, b) => rankOf(a.likelihood, a.impact) - rankOf(b.likelihood, b.impact))

export interface RatingFilter {
  readonly levels: readonly Level[] | undefined
  readonly scoreMin: number | undefined
  readonly likelihoods: readonly number[] | undefined
  readonly impacts: readonly number[] | undefined
}

/**
 * The rank key ranges that match the filter. A level is one range, because the score leads the rank
 * key. A likelihood or impact is up to five ranges: each cell of the matrix has one rank key.
 */
export function rankRanges({ levels, scoreMin, likelihoods, impacts }: RatingFilter): KeyRange[] {
  return joinRanges(
    cells.map(({ likelihood, impact }) => ({
      key: rankOf(likelihood, impact),
      isIncluded:
        score(likelihood, impact) >= (scoreMin ?? 1) &&
        (levels?.includes(level(score(likelihood, impact))) ?? true) &&
        (likelihoods?.includes(likelihood) ?? true) &&
        (impacts?.includes(impact) ?? true),
    })),
  )
}

export interface SeverityFilter {
  readonly severities: readonly number[] | undefined
  /** Days in UTC; `from` is inclusive, `before` exclusive. */
  readonly from: string | undefined
  readonly before: string | undefined
}

/**
 * The ranges of negated severities, so that the worst sorts first. Issues are ordered by opening
 * time only within one severity, so a date filter needs one range for each severity.
 */
export function severityRanges({ severities, from, before }: SeverityFilter): KeyRange[] {
  const worstFirst = ratings.toReversed().map((severity) => ({
    key: severityKey(severity),
    isIncluded: severities?.includes(severity) ?? true,
  }))
  if (from === undefined && before === undefined) return joinRanges(worstFirst)
  const days = { from: midnight(from), before: midnight(before) }
  return worstFirst.flatMap(({ key, isIncluded }) =>
    isIncluded ? [{ low: key, high: key, ...days }] : [],
  )
}

const midnight = (day: string | undefined) => day && `${day}T00:00:00Z`

/** Merges adjacent keys into ranges: each range costs one index scan. */
function joinRanges(keys: readonly { key: number; isIncluded: boolean }[]): KeyRange[] {
  const found: { low: number; high: number }[] = []
  let isOpen = false
  for (const { key, isIncluded } of keys) {
    const last = found.at(-1)
    if (isIncluded && isOpen && last) last.high = key
    else if (isIncluded) found.push({ low: key, high: key })
    isOpen = isIncluded
  }
  return found
}
