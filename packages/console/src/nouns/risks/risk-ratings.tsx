import type { Project, Risk, Scale } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'

import { ScoreChip } from '#kit/parts/score.tsx'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { scaleQuery } from './queries.ts'
import { levelOf } from './risk-level.ts'
import { ScoreChart, type ScoreHistory } from './score-chart.tsx'

import classes from './risks.module.css'

interface Props {
  readonly risk: Risk
  readonly project: Project | undefined
  readonly history: ScoreHistory
}

interface BasisRating {
  readonly basis: 'current' | 'target' | 'inherent'
  readonly rating: Pick<Risk, 'likelihood' | 'impact' | 'score'>
}

/** The current, target and inherent rating, and the score over time. */
export function RiskRatings({ risk, project, history }: Props) {
  const { data: scale } = useQuery(scaleQuery)
  const { target, inherent } = risk
  const ratings: readonly BasisRating[] = [
    { basis: 'current', rating: risk },
    ...(target ? [{ basis: 'target', rating: target } as const] : []),
    ...(inherent ? [{ basis: 'inherent', rating: inherent } as const] : []),
  ]
  return (
    <>
      <section aria-label={t('rating.title')}>
        <h2>{t('rating.title')}</h2>
        <Matrix scale={scale} ratings={ratings} />
        {ratings.map(({ basis, rating }) => (
          <div key={basis} className={classes.rating}>
            <Pin basis={basis} />
            <span>{label('basis', basis)}</span>
            <ScoreChip score={rating.score} level={levelOf(scale, rating.score)} />
            <span>
              {ratingText(scale, rating)}
              {basis === 'target' && target?.due_on && dueText(target.due_on)}
            </span>
          </div>
        ))}
      </section>
      <section aria-label={t('risk.trend')}>
        <h2>{t('risk.trend')}</h2>
        <ScoreChart risk={risk} appetite={project?.risk_appetite ?? null} history={history} />
      </section>
    </>
  )
}

const ratingText = (scale: Scale | undefined, { likelihood, impact }: BasisRating['rating']) =>
  t('risk.rating', {
    likely: nameOf(scale?.likelihood, likelihood),
    harm: nameOf(scale?.impact, impact),
  })

const dueText = (day: string) => `, ${t('risk.due', { day: formatDay(day) })}`

const nameOf = (of: Scale['likelihood'] | undefined, rating: number) =>
  of?.find((each) => each.rating === rating)?.label ?? ''

/** The letter of a rating in the matrix and beside its name. */
const Pin = ({ basis }: Pick<BasisRating, 'basis'>) => (
  <span className={classes.pin} data-basis={basis} aria-hidden>
    {t(`risk.mark.${basis}`)}
  </span>
)

const ratingValues = [1, 2, 3, 4, 5] as const

interface MatrixProps {
  readonly scale: Scale | undefined
  readonly ratings: readonly BasisRating[]
}

/** The ratings of a risk on the matrix. The label describes them for screen readers. */
function Matrix({ scale, ratings }: MatrixProps) {
  const places = ratings.map(({ basis, rating: { likelihood, impact, score } }) =>
    t('risk.matrix.place', { basis: label('basis', basis), likelihood, impact, score }),
  )
  return (
    <div
      role="img"
      aria-label={t('risk.matrix', { places: places.join(' ') })}
      className={classes.matrix}
    >
      {ratingValues.toReversed().map((likelihood) => (
        <Fragment key={likelihood}>
          <i>{likelihood}</i>
          {ratingValues.map((impact) => (
            <span
              key={impact}
              className={classes.place}
              data-level={levelOf(scale, likelihood * impact)}
            >
              {ratings
                .filter(({ rating }) => rating.likelihood === likelihood)
                .filter(({ rating }) => rating.impact === impact)
                .map(({ basis }) => (
                  <Pin key={basis} basis={basis} />
                ))}
            </span>
          ))}
        </Fragment>
      ))}
      <i />
      {ratingValues.map((impact) => (
        <i key={impact}>{impact}</i>
      ))}
    </div>
  )
}
