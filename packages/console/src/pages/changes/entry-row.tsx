import { type ReactNode, useState } from 'react'

import { Avatar } from '#kit/parts/person.tsx'
import type { ChangeEntry } from '#nouns/changes/queries.ts'
import type { Summary } from '#nouns/changes/summary.ts'
import { formatInstant } from '#text/dates.ts'
import { formatNearDay } from '#text/due.ts'
import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'
import { isOwnField, type Names } from '#text/values.ts'

import classes from './changes-page.module.css'

interface Props {
  readonly entry: ChangeEntry
  readonly summary: Summary
  readonly names: Names
  /** What it was and what it is. */
  readonly change: ReactNode
  readonly rank?: ReactNode
  /** The link to the record. */
  readonly link: ReactNode
  /** Beside the title, such as the issue that a risk became. */
  readonly end?: ReactNode
  readonly spark?: ReactNode
}

/** An entry on two lines, with its steps on request. */
export function EntryRow({ entry, summary, names, change, rank, link, end, spark }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { step } = summary
  const day = step ? formatNearDay(step.occurred_at.slice(0, 10)) : ''
  return (
    <li className={classes.row}>
      <span className={classes.change}>{change}</span>
      <span className={classes.rank}>{rank}</span>
      <span className={classes.ref}>{entry.ref}</span>
      <span className={classes.two}>
        <span className={classes.title}>
          {link}
          {end}
        </span>
        <small>
          {summary.fact !== null && <b>{summary.fact} </b>}
          {summary.note !== null && t('changes.note', { note: summary.note })}
        </small>
      </span>
      <span className={classes.spark}>{spark}</span>
      <span className={classes.by}>
        {step && <Avatar name={actorName(step, names)} />}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${day}, ${t('changes.steps.of', { ref: entry.ref })}`}
          title={t('changes.steps', { count: entry.step_count })}
          data-steps
          onClick={() => setOpen(!isOpen)}
        >
          {day}
        </button>
      </span>
      {isOpen && <Steps entry={entry} names={names} />}
    </li>
  )
}

type Step = ChangeEntry['steps'][number]

export function actorName({ actor: { type, user_id } }: Step, names: Names): string {
  const name = user_id === null ? undefined : names.get(user_id)
  return name ?? t(`actor.name.${type}`)
}

function Steps({ entry, names }: Pick<Props, 'entry' | 'names'>) {
  const earlier = entry.step_count - entry.steps.length
  return (
    <ol className={classes.steps} aria-label={t('changes.steps.of', { ref: entry.ref })}>
      {earlier > 0 && <li>{t('changes.steps.earlier', { count: earlier })}</li>}
      {entry.steps.map((step) => (
        <li key={step.seq}>
          <time dateTime={step.occurred_at}>{formatInstant(step.occurred_at)}</time>{' '}
          <b>{actorName(step, names)}</b> {stepText(step)}
          {step.note !== null && ` ${t('changes.note', { note: step.note })}`}
        </li>
      ))}
    </ol>
  )
}

const stepText = ({ changed }: Step) =>
  changed
    .filter((field) => !isOwnField(field))
    .map((field) => fieldLabel(field).toLowerCase())
    .join(', ')
