import { UnstyledButton } from '@mantine/core'
import type { IssueSummary } from '@muster/contract'

import { formatNumber, t } from '#text/index.ts'
import type { Filters } from '#ui/filters.ts'
import { Section } from '#ui/page.tsx'

import { ageBands, type Band, isInBand } from './age-bands.ts'
import { useSeverities } from './severity.tsx'

import classes from './age-board.module.css'

interface Props {
  readonly summary: IssueSummary | undefined
  readonly filters: Filters
}

/** Counts of open issues by severity and age. A click on a cell filters the page. */
export function AgeBoard({ summary, filters }: Props) {
  const severities = useSeverities()
  const bands = ageBands()
  const rows = severities.map(({ rating, name }) => ({
    rating,
    name,
    cells: bands.map((band) => ({ band, count: countIn(summary, rating, band) })),
  }))
  const highestCount = Math.max(1, ...rows.flatMap(({ cells }) => cells.map(({ count }) => count)))
  return (
    <Section title={t('issues.board')}>
      <table className={classes.board}>
        <caption className={classes.caption}>{t('issues.board.caption')}</caption>
        <thead>
          <tr>
            <td className={classes.axis}>{t('issues.board.axes')}</td>
            {bands.map(({ text }) => (
              <th key={text} scope="col">
                {t(text)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rating, name, cells }) => (
            <tr key={rating}>
              <th scope="row" title={name}>
                {rating} <span className={classes.name}>{name}</span>
              </th>
              {cells.map(({ band, count }) => (
                <td key={band.text}>
                  <Cell
                    cell={{ severity: rating, name, band, count }}
                    shade={Math.ceil((4 * count) / highestCount)}
                    filters={filters}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

const countIn = (summary: IssueSummary | undefined, severity: number, band: Band) =>
  (summary?.cells ?? [])
    .filter((cell) => cell.severity === severity && isInBand(cell.month, band))
    .reduce((sum, { count }) => sum + count, 0)

interface CellProps {
  readonly cell: {
    readonly severity: number
    readonly name: string
    readonly band: Band
    readonly count: number
  }
  /** The shade: 0 for no issues, 4 for the highest count of all cells. */
  readonly shade: number
  readonly filters: Filters
}

function Cell({ cell, shade, filters }: CellProps) {
  const { severity, name, band, count } = cell
  const cellFilter = {
    severity: String(severity),
    opened_from: band.from,
    opened_before: band.before,
  }
  // An unbounded side matches only if the URL has no such parameter.
  const isSelected = Object.entries(cellFilter).every(
    ([filter, value]) => (filters.values[filter] ?? null) === value,
  )
  const noFilter = { severity: null, opened_from: null, opened_before: null }
  return (
    <UnstyledButton
      className={classes.cell}
      data-step={shade}
      aria-label={t('issues.board.cell', { severity, name, age: t(band.text), count })}
      aria-pressed={isSelected}
      onClick={() => filters.set(isSelected ? noFilter : cellFilter)}
    >
      {count === 0 ? '' : formatNumber(count)}
    </UnstyledButton>
  )
}
