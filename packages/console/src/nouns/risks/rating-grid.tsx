import { Input, UnstyledButton } from '@mantine/core'
import type { Level, Scale } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'

import { ScoreChip, Trend } from '#kit/parts/score.tsx'
import { t } from '#text/index.ts'
import { label as labelOf } from '#text/labels.ts'

import { scaleQuery } from './queries.ts'
import { levelOf } from './risk-level.ts'

import classes from './rating-grid.module.css'

export interface Rating {
  readonly likelihood: number
  readonly impact: number
}

interface Props {
  readonly label: string
  /** Null until the user rates. */
  readonly value: Rating | null
  readonly onChange: (rating: Rating) => void
  /** The rating before the change, which gets a dashed frame. */
  readonly before?: Rating
  readonly error?: ReactNode
  /** Whether it has the focus when its dialog opens. */
  readonly hasFocus?: boolean
}

/**
 * Rates with one click. It is one tab stop: arrow keys move in it, and two digits set the
 * likelihood and the impact.
 */
export function RatingGrid({ label, value, onChange, before, error, hasFocus = false }: Props) {
  const { data: scale } = useQuery(scaleQuery)
  const grid = useRef<HTMLDivElement>(null)
  const [row, setRow] = useState<number | null>(null)
  if (!scale) return null
  const start = value ?? before ?? { likelihood: 3, impact: 3 }
  const choose = (next: Rating) => {
    setRow(null)
    onChange(next)
    grid.current?.querySelector<HTMLElement>(`[data-at="${keyOf(next)}"]`)?.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    const next = ratingByKey(event.key, { start, row })
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (typeof next === 'number') setRow(next)
    else choose(next)
  }
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      <div
        ref={grid}
        role="group"
        aria-label={label}
        className={classes.grid}
        onKeyDown={handleKey}
      >
        {scale.likelihood.toReversed().map((each) => (
          <Fragment key={each.rating}>
            <span
              className={classes.row}
              title={each.meaning}
              data-on={(row ?? value?.likelihood) === each.rating}
              aria-hidden
            >
              <i>{each.rating}</i> {each.label}
            </span>
            {scale.impact.map(({ rating: impact }) => {
              const cell = { likelihood: each.rating, impact }
              return (
                <Cell
                  key={impact}
                  cell={cell}
                  level={levelOf(scale, each.rating * impact)}
                  isChosen={value !== null && keyOf(value) === keyOf(cell)}
                  wasChosen={before !== undefined && keyOf(before) === keyOf(cell)}
                  isTabStop={keyOf(start) === keyOf(cell)}
                  hasFocus={hasFocus && keyOf(start) === keyOf(cell)}
                  onChoose={choose}
                />
              )
            })}
          </Fragment>
        ))}
        <span />
        {scale.impact.map((each) => (
          <span
            key={each.rating}
            className={classes.column}
            title={each.meaning}
            data-on={value?.impact === each.rating}
            aria-hidden
          >
            {each.label}
          </span>
        ))}
      </div>
      {/* The guard against losing input compares the fields of the form. */}
      <input type="hidden" name={label} value={value === null ? '' : keyOf(value)} />
      <Result scale={scale} value={value} before={before} />
    </Input.Wrapper>
  )
}

const keyOf = ({ likelihood, impact }: Rating) => `${likelihood} ${impact}`

const arrowSteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

const clamp = (rating: number) => Math.min(5, Math.max(1, rating))

interface KeyState {
  readonly start: Rating
  /** The likelihood of the first digit. */
  readonly row: number | null
}

/** The new rating, or the likelihood after the first digit, or null for other keys. */
function ratingByKey(key: string, { start, row }: KeyState): Rating | number | null {
  if (/^[1-5]$/.test(key)) {
    return row === null ? Number(key) : { likelihood: row, impact: Number(key) }
  }
  const step = arrowSteps[key]
  if (step === undefined) return null
  return { likelihood: clamp(start.likelihood + step[0]), impact: clamp(start.impact + step[1]) }
}

interface CellProps {
  readonly cell: Rating
  readonly level: Level
  readonly isChosen: boolean
  readonly wasChosen: boolean
  readonly isTabStop: boolean
  readonly hasFocus: boolean
  readonly onChoose: (rating: Rating) => void
}

function Cell({ cell, level, isChosen, wasChosen, isTabStop, hasFocus, onChoose }: CellProps) {
  const score = cell.likelihood * cell.impact
  return (
    <UnstyledButton
      className={classes.cell}
      data-level={level}
      data-at={keyOf(cell)}
      data-before={wasChosen}
      aria-label={t('rating.cell', { ...cell, score, level: labelOf('level', level) })}
      aria-pressed={isChosen}
      tabIndex={isTabStop ? 0 : -1}
      data-autofocus={hasFocus || undefined}
      onClick={() => onChoose(cell)}
    >
      {score}
    </UnstyledButton>
  )
}

interface ResultProps {
  readonly scale: Scale
  readonly value: Rating | null
  readonly before: Rating | undefined
}

/** The score and what the ratings mean. */
function Result({ scale, value, before }: ResultProps) {
  if (value === null) return <output className={classes.result}>{t('rating.none')}</output>
  const score = value.likelihood * value.impact
  const meaningOf = (ratings: Scale['impact'], rating: number) =>
    ratings.find((each) => each.rating === rating)?.meaning ?? ''
  return (
    <output className={classes.result}>
      <ScoreChip score={score} level={levelOf(scale, score)} withWord />
      <Trend score={score} previous={before ? before.likelihood * before.impact : null} />
      <span>
        {meaningOf(scale.likelihood, value.likelihood)} {meaningOf(scale.impact, value.impact)}
      </span>
    </output>
  )
}
