import { Button } from '@mantine/core'
import type { HistoryEntry } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

import { allItems, type Pages } from '#api/lists.ts'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { fieldLabel, label } from '#text/labels.ts'
import { formatValue, isNone, isOwnField, type Names, userIdsIn } from '#text/values.ts'
import { Avatar } from '#ui/parts/person.tsx'
import { usePersonNames } from '#ui/people.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { RecordSection } from './record-page.tsx'

import classes from './record.module.css'

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<HistoryEntry>>
  /** Names by id of resources other than people. */
  readonly names?: Names
}

/** The history of a record as sentences, newest first. */
export function Activity({ query, names: extraNames = new Map() }: Props) {
  const entries = allItems(query.data).toReversed()
  const changes = entries.flatMap((entry) => entry.changes)
  const people = usePersonNames(userIdsIn(changes.map(({ from, to }) => [from, to])))
  const names = new Map([...extraNames, ...people])
  return (
    <RecordSection title={t('activity.title')}>
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.hasNextPage && (
        <Button variant="subtle" mt="sm" onClick={() => void query.fetchNextPage()}>
          {t('timeline.more')}
        </Button>
      )}
      <ol className={classes.feed}>
        {entries.map((entry) => (
          <Event key={`${entry.seq} ${entry.type}`} entry={entry} names={names} />
        ))}
      </ol>
    </RecordSection>
  )
}

interface EventProps {
  readonly entry: HistoryEntry
  readonly names: Names
}

function Event({ entry, names }: EventProps) {
  const [isOpen, setOpen] = useState(false)
  const changes = entry.changes.filter(({ field }) => !isOwnField(field))
  const isCreation = entry.type.endsWith('.created')
  const isLong = isCreation || changes.length > 4
  const actor = actorName(entry.actor)
  return (
    <li className={classes.event}>
      <Avatar name={actor} size={24} isInactive={entry.actor.type !== 'person'} />
      <div>
        <div className={classes.sentence}>
          <b>{actor}</b> {label('event', entry.type)}
          {!isLong && <Changes entry={entry} names={names} isInline />} ·{' '}
          <time dateTime={entry.occurred_at} title={formatInstant(entry.occurred_at)}>
            {formatAge(entry.occurred_at)}
          </time>{' '}
          {isLong && changes.length > 0 && (
            <Button
              variant="subtle"
              size="compact-xs"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {t('activity.details')}
            </Button>
          )}
        </div>
        {isLong && isOpen && <Changes entry={entry} names={names} />}
        {entry.note && <p className={classes.note}>{entry.note}</p>}
      </div>
    </li>
  )
}

interface ChangesProps extends EventProps {
  readonly isInline?: boolean
}

/** What changed, from what to what. */
function Changes({ entry, names, isInline = false }: ChangesProps) {
  const [noun = ''] = entry.type.split('.')
  const texts = entry.changes
    .filter(({ field }) => !isOwnField(field))
    .map(({ field, from, to }) => {
      const format = (value: unknown) => formatValue(value, { noun, field, names })
      if (Array.isArray(from) && Array.isArray(to))
        return { field, text: listChange(from, to, format) }
      return { field, text: `${isNone(from) ? '' : `${format(from)} → `}${format(to)}` }
    })
  if (texts.length === 0) return null
  if (isInline)
    return `: ${texts.map(({ field, text }) => `${fieldLabel(field).toLowerCase()} ${text}`).join('; ')}`
  return (
    <ul className={classes.changes}>
      {texts.map(({ field, text }) => (
        <li key={field}>
          {fieldLabel(field)}: {text}
        </li>
      ))}
    </ul>
  )
}

type Format = (value: unknown) => string

/** What was added to a list and what was removed from it, such as flags. */
function listChange(from: readonly unknown[], to: readonly unknown[], format: Format): string {
  const missing = (list: readonly unknown[], other: readonly unknown[]) => {
    const known = new Set(other.map((each) => JSON.stringify(each)))
    return list.filter((each) => !known.has(JSON.stringify(each))).map(format)
  }
  const added = missing(to, from).map((name) => `+ ${name}`)
  const removed = missing(from, to).map((name) => `− ${name}`)
  return [...added, ...removed].join(', ') || format(to)
}

/** The service sends names only to those who may see them. */
const actorName = ({ type, name }: HistoryEntry['actor']) => name ?? t(`actor.name.${type}`)
