import { SegmentedControl, Text, UnstyledButton } from '@mantine/core'
import type { Level, RiskSummary, Scale } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'

import type { Search } from '#api/search.ts'
import { formatNumber, t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'
import type { Filters } from '#ui/filters.ts'
import { Section } from '#ui/page.tsx'

import { scaleQuery } from './queries.ts'
import { levelOf } from './risk-level.ts'

import classes from './heat-map.module.css'

interface Props {
  readonly summary: RiskSummary | undefined
  readonly filters: Filters
}

/** Counts of live risks by likelihood and impact. A click on a cell filters the page. */
export function HeatMap({ summary, filters }: Props) {
  const { data: scale } = useQuery(scaleQuery)
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const { basis = 'current' } = search
  const choose = (value: string) =>
    void navigate({ to: '.', search: { ...search, basis: value }, resetScroll: false })
  const unrated = summary ? summary.count - summary.rated : 0
  return (
    <Section
      title={t('map.title')}
      rightSection={
        <SegmentedControl
          size="xs"
          aria-label={t('map.basis')}
          data={choices('basis')}
          value={basis}
          onChange={choose}
          className="no-print"
        />
      }
    >
      {scale && <Matrix scale={scale} summary={summary} filters={filters} />}
      {unrated > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('map.unrated', { count: unrated })}
        </Text>
      )}
    </Section>
  )
}

interface MatrixProps extends Props {
  readonly scale: Scale
}

function Matrix({ scale, summary, filters }: MatrixProps) {
  const counts = new Map(
    summary?.cells.map(({ likelihood, impact, count }) => [`${likelihood} ${impact}`, count]),
  )
  return (
    <table className={classes.map}>
      <caption className={classes.caption}>{t('map.caption')}</caption>
      <thead>
        <tr>
          <td className={classes.axis}>{t('map.axes')}</td>
          {scale.impact.map(({ rating, label: name }) => (
            <th key={rating} scope="col" title={name}>
              {rating} <span className={classes.name}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {scale.likelihood.toReversed().map(({ rating, label: name }) => (
          <tr key={rating}>
            <th scope="row" title={name}>
              {rating} <span className={classes.name}>{name}</span>
            </th>
            {scale.impact.map(({ rating: impact }) => (
              <td key={impact}>
                <Cell
                  cell={{
                    likelihood: rating,
                    impact,
                    count: counts.get(`${rating} ${impact}`) ?? 0,
                  }}
                  level={levelOf(scale, rating * impact)}
                  filters={filters}
                  isCurrent={(summary?.basis ?? 'current') === 'current'}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CellProps {
  readonly cell: RiskSummary['cells'][number]
  readonly level: Level
  readonly filters: Filters
  /** The list can be filtered by the current rating only, not by the target or inherent one. */
  readonly isCurrent: boolean
}

function Cell({ cell, level, filters, isCurrent }: CellProps) {
  const { likelihood, impact, count } = cell
  const score = likelihood * impact
  const cellFilter = { likelihood: String(likelihood), impact: String(impact) }
  const name = t('map.cell', { likelihood, impact, score, level: label('level', level), count })
  return (
    <UnstyledButton
      className={classes.cell}
      data-level={level}
      data-score={score}
      aria-label={isCurrent ? name : `${name}. ${t('map.only-current')}`}
      aria-pressed={filters.isSet(cellFilter)}
      aria-disabled={!isCurrent}
      onClick={() => isCurrent && filters.toggle(cellFilter)}
    >
      {count === 0 ? '' : formatNumber(count)}
    </UnstyledButton>
  )
}
