import type { Scale } from '@muster/contract'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { levelOf } from './risk-level.ts'

import classes from './risk-matrix.module.css'

type Basis = 'current' | 'target' | 'inherent'

/** One rating of a risk; null if it is not set. */
export interface BasisRating {
  readonly basis: Basis
  readonly rating: {
    readonly likelihood: number
    readonly impact: number
    readonly score: number
  } | null
}

/** The letter of a rating in the matrix and beside its name. */
export function BasisBadge({ basis }: { readonly basis: Basis }) {
  return (
    <span className={classes.mark} data-basis={basis} aria-hidden>
      {t(`risk.mark.${basis}`)}
    </span>
  )
}

const ratingValues = [1, 2, 3, 4, 5] as const

interface Props {
  readonly scale: Scale | undefined
  readonly ratings: readonly BasisRating[]
}

/** The ratings of a risk on the matrix. The label describes them for screen readers. */
export function RiskMatrix({ scale, ratings }: Props) {
  const descriptions = ratings.flatMap(({ basis, rating }) =>
    rating === null ? [] : [t('risk.matrix.place', { basis: label('basis', basis), ...rating })],
  )
  return (
    <div
      role="img"
      aria-label={t('risk.matrix', { places: descriptions.join(' ') })}
      className={classes.picture}
    >
      <span className={classes.up}>{t('risk.matrix.likelihood')}</span>
      <div className={classes.grid}>
        {ratingValues.toReversed().map((likelihood) =>
          ratingValues.map((impact) => (
            <div
              key={`${likelihood} ${impact}`}
              className={classes.cell}
              data-level={levelOf(scale, likelihood * impact)}
            >
              {ratings
                .filter(({ rating }) => rating?.likelihood === likelihood)
                .filter(({ rating }) => rating?.impact === impact)
                .map(({ basis }) => (
                  <BasisBadge key={basis} basis={basis} />
                ))}
            </div>
          )),
        )}
      </div>
      <span className={classes.along}>{t('risk.matrix.impact')}</span>
    </div>
  )
}
