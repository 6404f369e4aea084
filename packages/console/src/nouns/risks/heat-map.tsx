import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { Level, RiskSummary, Scale } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { MouseEvent } from 'react'

import type { Search } from '#data/search.ts'
import type { Filters } from '#kit/list/filters.ts'
import { RailSection } from '#kit/list/rail.tsx'
import { formatNumber, t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'

import { chosenOf, isIn, withCell, without } from './chosen-cells.ts'
import { scaleQuery } from './queries.ts'
import { levelOf } from './risk-level.ts'

import classes from './risks.module.css'

interface Props {
  /** Counts without the filter by likelihood and impact, so that every cell stays a button. */
  readonly summary: RiskSummary | undefined
  readonly filters: Filters
}

/** Counts of live risks by likelihood and impact. A click on a cell filters the list. */
export function HeatMap({ summary, filters }: Props) {
  const { data: scale } = useQuery(scaleQuery)
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const { basis = 'current' } = search
  const choose = (value: string) =>
    void navigate({ to: '.', search: { ...search, basis: value }, resetScroll: false })
  const unrated = summary ? summary.count - summary.rated : 0
  return (
    <RailSection
      title={t('map.title')}
      aside={
        <div role="radiogroup" aria-label={t('map.basis')} className={classes.bases}>
          {choices('basis').map(({ value, label: name }) => (
            <label key={value}>
              <input
                type="radio"
                name="basis"
                checked={value === basis}
                onChange={() => choose(value)}
              />
              {name}
            </label>
          ))}
        </div>
      }
    >
      {scale && <Matrix scale={scale} summary={summary} filters={filters} />}
      <div className={classes.axes} aria-hidden>
        <span>{t('map.likelihood')}</span>
        <span>{t('map.impact')}</span>
      </div>
      {basis === 'current' && <p className={classes.note}>{t('map.help')}</p>}
      {unrated > 0 && <p className={classes.note}>{t('map.unrated', { count: unrated })}</p>}
    </RailSection>
  )
}

interface MatrixProps extends Props {
  readonly scale: Scale
}

function Matrix({ scale, summary, filters }: MatrixProps) {
  const counts = new Map(
    summary?.cells.map(({ likelihood, impact, count }) => [`${likelihood} ${impact}`, count]),
  )
  // The list can be filtered by the current rating only, not by the target or inherent one.
  const isFilter = summary?.basis === 'current'
  return (
    <table className={classes.map}>
      <VisuallyHidden component="caption">{t('map.caption')}</VisuallyHidden>
      <colgroup>
        <col className={classes.ratings} />
        <col span={5} />
      </colgroup>
      <tbody>
        {scale.likelihood.toReversed().map(({ rating: likelihood, label: name }) => (
          <tr key={likelihood}>
            <th scope="row">
              {name} <span>{likelihood}</span>
            </th>
            {scale.impact.map(({ rating: impact }) => (
              <td key={impact}>
                <Cell
                  cell={{ likelihood, impact, count: counts.get(`${likelihood} ${impact}`) ?? 0 }}
                  isKnown={summary !== undefined}
                  level={levelOf(scale, likelihood * impact)}
                  filters={filters}
                  isFilter={isFilter}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td aria-hidden />
          {scale.impact.map(({ rating, label: name }) => (
            <th key={rating} scope="col">
              {rating} <span>{name}</span>
            </th>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}

interface CellProps {
  readonly cell: RiskSummary['cells'][number]
  readonly level: Level
  readonly filters: Filters
  readonly isFilter: boolean
  /** Whether the counts have arrived. */
  readonly isKnown: boolean
}

/** An empty cell is no button: its filter would match nothing. */
function Cell({ cell, level, filters, isFilter, isKnown }: CellProps) {
  const { likelihood, impact, count } = cell
  const chosen = chosenOf(filters)
  const isPressed = isIn(chosen, cell)
  const props = { className: classes.cell, 'data-level': level } as const
  const text = isKnown ? (count === 0 ? '' : formatNumber(count)) : '—'
  if (!isFilter || (count === 0 && !isPressed)) return <span {...props}>{text}</span>
  const values = { ...cell, score: likelihood * impact, level: label('level', level) }
  const choose = ({ shiftKey, ctrlKey, metaKey }: MouseEvent) =>
    filters.set(
      isPressed
        ? without(chosen, cell)
        : shiftKey || ctrlKey || metaKey
          ? withCell(chosen, cell)
          : withCell({ likelihood: [], impact: [] }, cell),
    )
  return (
    <UnstyledButton
      {...props}
      aria-label={t('map.cell', values)}
      aria-pressed={isPressed}
      onClick={choose}
    >
      {text}
    </UnstyledButton>
  )
}
