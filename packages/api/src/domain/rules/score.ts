import { type Level, scale } from '@muster/contract'

const ratings = [1, 2, 3, 4, 5] as const

export const score = (likelihood: number, impact: number): number => likelihood * impact

/** The colour of a cell on the heat map. */
export function level(value: number): Level {
  const band = scale.levels.find(({ score_max }) => value <= score_max)
  return band?.level ?? 'critical'
}

/** Score down, then impact down, as one number that rises: the rank of the register. */
const rankKey = (likelihood: number, impact: number): number =>
  -(score(likelihood, impact) * 10 + impact)

export interface Stretch {
  readonly low: number
  readonly high: number
  readonly from?: string | undefined
  readonly before?: string | undefined
}

const cells = ratings
  .flatMap((likelihood) => ratings.map((impact) => ({ likelihood, impact })))
  .toSorted((a, b) => rankKey(a.likelihood, a.impact) - rankKey(b.likelihood, b.impact))

export interface RatingFilter {
  readonly levels: readonly Level[] | undefined
  readonly scoreMin: number | undefined
  readonly likelihoods: readonly number[] | undefined
  readonly impacts: readonly number[] | undefined
}

/**
 * The stretches of the rank in which all risks have one of these ratings. A level is a stretch of
 * scores, and a score leads the rank, so there are few and they are long; a likelihood or an impact
 * is five cells of the matrix, and each cell is one value of the rank.
 */
export function ranksWhere({ levels, scoreMin, likelihoods, impacts }: RatingFilter): Stretch[] {
  return stretches(
    cells.map(({ likelihood, impact }) => ({
      key: rankKey(likelihood, impact),
      isIn:
        score(likelihood, impact) >= (scoreMin ?? 1) &&
        (levels?.includes(level(score(likelihood, impact))) ?? true) &&
        (likelihoods?.includes(likelihood) ?? true) &&
        (impacts?.includes(impact) ?? true),
    })),
  )
}

export interface OpeningFilter {
  readonly severities: readonly number[] | undefined
  /** Days in UTC, the first of them in it. */
  readonly from: string | undefined
  readonly before: string | undefined
}

/**
 * The stretches of negated severities, so that worst comes first. Only within one severity do
 * issues follow one another as they were opened, so days cut each severity by itself.
 */
export function severitiesWhere({ severities, from, before }: OpeningFilter): Stretch[] {
  const worstFirst = ratings.toReversed().map((severity) => ({
    key: -severity,
    isIn: severities?.includes(severity) ?? true,
  }))
  if (from === undefined && before === undefined) return stretches(worstFirst)
  const days = { from: midnight(from), before: midnight(before) }
  return worstFirst.flatMap(({ key, isIn }) => (isIn ? [{ low: key, high: key, ...days }] : []))
}

const midnight = (day: string | undefined) => day && `${day}T00:00:00Z`

/** Joins neighbours that are both in: the fewer stretches, the fewer places to read from. */
function stretches(keys: readonly { key: number; isIn: boolean }[]): Stretch[] {
  const found: { low: number; high: number }[] = []
  let isOpen = false
  for (const { key, isIn } of keys) {
    const last = found.at(-1)
    if (isIn && isOpen && last) last.high = key
    else if (isIn) found.push({ low: key, high: key })
    isOpen = isIn
  }
  return found
}
