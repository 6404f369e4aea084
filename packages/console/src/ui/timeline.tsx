import { Button, Center, Loader, Text, Timeline as MantineTimeline } from '@mantine/core'
import type { HistoryEntry } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

import { allItems, type Pages } from '#api/lists.ts'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'
import { formatValue, isNone, isOwnField, type Names, userIdsIn } from '#text/values.ts'

import { usePersonNames } from './people.tsx'
import { ProblemNotice } from './problem.tsx'

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<HistoryEntry>>
  /** Names by id of resources other than people. */
  readonly names?: Names
}

/** The history of a resource, newest first. */
export function Timeline({ query, names: extraNames = new Map() }: Props) {
  const entries = allItems(query.data).toReversed()
  const changes = entries.flatMap((entry) => entry.changes)
  const people = usePersonNames(userIdsIn(changes.map(({ from, to }) => [from, to])))
  if (query.isPending) return <LoadingIndicator />
  if (query.isError) return <ProblemNotice error={query.error} />
  return (
    <>
      {query.hasNextPage && (
        <Button
          variant="subtle"
          size="compact-sm"
          mb="sm"
          onClick={() => void query.fetchNextPage()}
        >
          {t('timeline.more')}
        </Button>
      )}
      <MantineTimeline bulletSize={14} lineWidth={2} active={entries.length}>
        {entries.map((entry) => (
          <MantineTimeline.Item key={`${entry.seq} ${entry.type}`} title={eventLabel(entry.type)}>
            <Entry entry={entry} names={new Map([...extraNames, ...people])} />
          </MantineTimeline.Item>
        ))}
      </MantineTimeline>
    </>
  )
}

function LoadingIndicator() {
  return (
    <Center>
      <Loader size="sm" aria-label={t('page.loading')} />
    </Center>
  )
}

function Entry({ entry, names }: { readonly entry: HistoryEntry; readonly names: Names }) {
  const [noun = ''] = entry.type.split('.')
  const changes = entry.changes.filter(({ field }) => !isOwnField(field))
  return (
    <>
      {entry.note && (
        <Text size="sm" className="prose">
          {entry.note}
        </Text>
      )}
      {changes.map(({ field, from, to }) => (
        <Text key={field} size="sm" className="wrap">
          <Text span c="dimmed" inherit>
            {fieldLabel(field)}:
          </Text>{' '}
          {isNone(from) ? '' : `${formatValue(from, { noun, field, names })} → `}
          {formatValue(to, { noun, field, names })}
        </Text>
      ))}
      <Text size="xs" c="dimmed" title={formatInstant(entry.occurred_at)}>
        {formatAge(entry.occurred_at)} · {actorText(entry.actor)}
      </Text>
    </>
  )
}

/** The service sends the name of a key only to those who may list keys. */
const actorText = ({ type, name }: HistoryEntry['actor']) =>
  name === null ? t(`actor.${type}`) : t('actor.named', { name })

/** `risk.reviewed` becomes “Reviewed”. */
const eventLabel = (type: string) => fieldLabel(type.split('.').at(-1) ?? type)
