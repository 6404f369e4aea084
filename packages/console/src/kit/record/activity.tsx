import { Button } from '@mantine/core'
import type { HistoryEntry } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { allItems, type Pages } from '#data/lists.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { Avatar } from '#kit/parts/person.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'
import { type Sentence, sentenceOf } from '#text/sentences.ts'
import { formatValue, isNone, type Names, userIdsIn } from '#text/values.ts'

import { RecordSection } from './record-page.tsx'

import classes from './record.module.css'

/** Something that happened to another record and belongs to the story of this one. */
export interface Fact {
  readonly key: string
  readonly at: string
  readonly text: ReactNode
}

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<HistoryEntry>>
  /** Names by id of resources other than people. */
  readonly names?: Names
  readonly facts?: readonly Fact[]
  /** The sequence numbers of entries that the page shows elsewhere. */
  readonly without?: ReadonlySet<number>
}

/** The history of a record as sentences, newest first. */
export function Activity(props: Props) {
  const { query, names: extraNames = new Map(), facts = [], without } = props
  const entries = allItems(query.data).filter(({ seq }) => !without?.has(seq))
  const changes = entries.flatMap((entry) => entry.changes)
  const people = usePersonNames(userIdsIn(changes.map(({ from, to }) => [from, to])))
  const names = new Map([...extraNames, ...people])
  // The last entries are not loaded yet, so that later facts would stand in the wrong place.
  const last = query.hasNextPage ? (entries.at(-1)?.occurred_at ?? '') : null
  const items = [
    ...facts.filter(({ at }) => last === null || at <= last).map(factItem),
    ...entries.map((entry) => entryItem(entry, names)),
  ]
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .toReversed()
  return (
    <RecordSection title={t('activity.title')}>
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.hasNextPage && (
        <Button variant="subtle" mt="sm" onClick={() => void query.fetchNextPage()}>
          {t('timeline.more')}
        </Button>
      )}
      <ol className={classes.feed}>{items.map(({ row }) => row)}</ol>
    </RecordSection>
  )
}

const factItem = ({ key, at, text }: Fact) => ({
  at,
  row: (
    <li key={key} className={classes.event}>
      <Avatar name={t('actor.name.system')} size={24} isInactive />
      <div className={classes.sentence}>
        {text} · <Moment at={at} />
      </div>
    </li>
  ),
})

const entryItem = (entry: HistoryEntry, names: Names) => ({
  at: entry.occurred_at,
  row: <Event key={`${entry.seq} ${entry.type}`} entry={entry} names={names} />,
})

interface EventProps {
  readonly entry: HistoryEntry
  readonly names: Names
}

function Event({ entry, names }: EventProps) {
  const [isOpen, setOpen] = useState(false)
  const { text, isAuthored, details } = sentenceOf(entry, names)
  const actor = actorName(entry.actor)
  return (
    <li className={classes.event}>
      <Avatar name={actor} size={24} isInactive={entry.actor.type !== 'person'} />
      <div>
        <div className={classes.sentence}>
          {isAuthored && <b>{actor}</b>} {text}
          {entry.is_planned && <> ({t('activity.planned')})</>} · <Moment at={entry.occurred_at} />
          {details.length > 0 && (
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
        {isOpen && <Details type={entry.type} details={details} names={names} />}
        {entry.note && <p className={classes.note}>{t('activity.note', { note: entry.note })}</p>}
      </div>
    </li>
  )
}

const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={formatInstant(at)}>
    {formatAge(at)}
  </time>
)

interface DetailsProps extends Pick<Sentence, 'details'> {
  readonly type: HistoryEntry['type']
  readonly names: Names
}

/** The changed fields, from what to what. */
function Details({ type, details, names }: DetailsProps) {
  const [noun = ''] = type.split('.')
  return (
    <ul className={classes.changes}>
      {details.map(({ field, from, to }) => {
        const format = (value: unknown) => formatValue(value, { noun, field, names })
        return (
          <li key={field}>
            {fieldLabel(field)}: {isNone(from) ? '' : `${format(from)} → `}
            {format(to)}
          </li>
        )
      })}
    </ul>
  )
}

/** The service sends names only to those who may see them. */
export const actorName = ({ type, name }: HistoryEntry['actor']) => name ?? t(`actor.name.${type}`)
