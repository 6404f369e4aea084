import type { Scale } from '@muster/contract'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { levelOf } from './risk-level.ts'

import classes from './risk-matrix.module.css'

type Basis = 'current' | 'target' | 'inherent'

/** One of the ratings of a risk; null where there is none. */
export interface Place {
  readonly basis: Basis
  readonly rating: {
    readonly likelihood: number
    readonly impact: number
    readonly score: number
  } | null
}

/** The letter that stands for a rating in the picture and beside its name. */
export function Mark({ basis }: { readonly basis: Basis }) {
  return (
    <span className={classes.mark} data-basis={basis} aria-hidden>
      {t(`risk.mark.${basis}`)}
    </span>
  )
}

const steps = [1, 2, 3, 4, 5] as const

interface Props {
  readonly scale: Scale | undefined
  readonly places: readonly Place[]
}

/** Where a risk stands on the matrix. What the picture shows is also said in words beside it. */
export function RiskMatrix({ scale, places }: Props) {
  const told = places.flatMap(({ basis, rating }) =>
    rating === null ? [] : [t('risk.matrix.place', { basis: label('basis', basis), ...rating })],
  )
  return (
    <div
      role="img"
      aria-label={t('risk.matrix', { places: told.join(' ') })}
      className={classes.picture}
    >
      <span className={classes.up}>{t('risk.matrix.likelihood')}</span>
      <div className={classes.grid}>
        {steps.toReversed().map((likelihood) =>
          steps.map((impact) => (
            <div
              key={`${likelihood} ${impact}`}
              className={classes.cell}
              data-level={levelOf(scale, likelihood * impact)}
            >
              {places
                .filter(({ rating }) => rating?.likelihood === likelihood)
                .filter(({ rating }) => rating?.impact === impact)
                .map(({ basis }) => (
                  <Mark key={basis} basis={basis} />
                ))}
            </div>
          )),
        )}
      </div>
      <span className={classes.along}>{t('risk.matrix.impact')}</span>
    </div>
  )
}
