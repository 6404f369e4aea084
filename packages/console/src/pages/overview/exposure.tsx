import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { ChartSection } from '#kit/charts/chart-section.tsx'
import { ExposureChart, exposureTable } from '#kit/charts/exposure-chart.tsx'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { t } from '#text/index.ts'

import { type TrendRange, ranges, trendQuery } from './queries.ts'

import classes from './overview.module.css'

interface Props {
  readonly since: string
  readonly isFew: boolean
}

/** The exposure of the last months. */
export function Exposure({ since, isFew }: Props) {
  const [range, setRange] = useState<TrendRange>('9')
  const { data: points, error, refetch } = useQuery(trendQuery(range))
  return (
    <ChartSection
      title={t('overview.exposure')}
      note={t('chart.exposure.about')}
      className={classes.exposure}
      table={points ? exposureTable(points) : null}
      aside={
        !isFew && (
          <div role="group" aria-label={t('overview.range')} className={classes.choices}>
            {ranges.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === range}
                onClick={() => setRange(each)}
              >
                {t(`overview.range.${each}`)}
              </button>
            ))}
          </div>
        )
      }
    >
      {points === undefined && error !== null && (
        <ProblemNotice error={error} onRetry={() => void refetch()} />
      )}
      {points === undefined && error === null && (
        <div role="status" aria-label={t('page.loading')} className={classes.chartBone} />
      )}
      {points && (
        <div className={isFew ? classes.few : undefined}>
          <ExposureChart points={points} since={isFew ? undefined : since} />
          {isFew && <p>{t('overview.few')}</p>}
        </div>
      )}
    </ChartSection>
  )
}
