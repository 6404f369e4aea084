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

/** What is bad and what is left lying: severity against age. A click narrows the page to a cell. */
export function AgeBoard({ summary, filters }: Props) {
  const severities = useSeverities()
  const bands = ageBands()
  const rows = severities.map(({ rating, name }) => ({
    rating,
    name,
    cells: bands.map((band) => ({ band, count: countIn(summary, rating, band) })),
  }))
  const most = Math.max(1, ...rows.flatMap(({ cells }) => cells.map(({ count }) => count)))
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
                    step={Math.ceil((4 * count) / most)}
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
  /** How dark it is: 0 for none, up to 4 for the most that any cell has. */
  readonly step: number
  readonly filters: Filters
}

function Cell({ cell, step, filters }: CellProps) {
  const { severity, name, band, count } = cell
  const narrowed = {
    severity: String(severity),
    opened_from: band.from,
    opened_before: band.before,
  }
  // A band without an end is set only when the address has none either.
  const isSet = Object.entries(narrowed).every(
    ([filter, value]) => (filters.values[filter] ?? null) === value,
  )
  const none = { severity: null, opened_from: null, opened_before: null }
  return (
    <UnstyledButton
      className={classes.cell}
      data-step={step}
      aria-label={t('issues.board.cell', { severity, name, age: t(band.text), count })}
      aria-pressed={isSet}
      onClick={() => filters.set(isSet ? none : narrowed)}
    >
      {count === 0 ? '' : formatNumber(count)}
    </UnstyledButton>
  )
}
