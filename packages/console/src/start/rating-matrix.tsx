import { UnstyledButton } from '@mantine/core'
import type { Level } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef } from 'react'

import { scaleQuery } from '#risks/queries.ts'
import { levelOf } from '#risks/risk-level.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import classes from './steps.module.css'

interface Rating {
  readonly likelihood: number
  readonly impact: number
}

interface Props {
  readonly rating: Rating
  readonly onChange: (rating: Rating) => void
}

/** Sets both ratings with one click. It is one tab stop; arrow keys move within it. */
export function RatingMatrix({ rating, onChange }: Props) {
  const { data: scale } = useQuery(scaleQuery)
  const body = useRef<HTMLTableSectionElement>(null)
  if (!scale) return null
  const moveByArrowKey = (event: KeyboardEvent) => {
    const [up, right] = arrowSteps[event.key] ?? [0, 0]
    if (up === 0 && right === 0) return
    event.preventDefault()
    const next = {
      likelihood: clampRating(rating.likelihood + up),
      impact: clampRating(rating.impact + right),
    }
    onChange(next)
    const name = `[data-at="${next.likelihood} ${next.impact}"]`
    body.current?.querySelector<HTMLElement>(name)?.focus()
  }
  return (
    <table className={classes.matrix}>
      <caption>{t('start.risk.matrix')}</caption>
      <thead>
        <tr>
          <td className={classes.axes}>{t('start.risk.axes')}</td>
          {scale.impact.map((each) => (
            <th key={each.rating} scope="col" title={each.label}>
              {each.rating}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={moveByArrowKey}>
        {scale.likelihood.toReversed().map((row) => (
          <tr key={row.rating}>
            <th scope="row" title={row.label}>
              {row.rating}
            </th>
            {scale.impact.map((column) => (
              <td key={column.rating}>
                <Cell
                  cell={{ likelihood: row.rating, impact: column.rating }}
                  level={levelOf(scale, row.rating * column.rating)}
                  isSelected={rating.likelihood === row.rating && rating.impact === column.rating}
                  onChange={onChange}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const arrowSteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

const clampRating = (rating: number) => Math.min(5, Math.max(1, rating))

interface CellProps {
  readonly cell: Rating
  readonly level: Level
  readonly isSelected: boolean
  readonly onChange: (rating: Rating) => void
}

function Cell({ cell, level, isSelected, onChange }: CellProps) {
  const { likelihood, impact } = cell
  const score = likelihood * impact
  return (
    <UnstyledButton
      className={classes.cell}
      data-level={level}
      data-at={`${likelihood} ${impact}`}
      aria-label={t('start.risk.cell', { ...cell, score, level: label('level', level) })}
      aria-pressed={isSelected}
      tabIndex={isSelected ? 0 : -1}
      onClick={() => onChange(cell)}
    >
      {score}
    </UnstyledButton>
  )
}
