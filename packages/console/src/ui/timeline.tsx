import { Button, Center, Loader, Text, Timeline as Line } from '@mantine/core'
import type { HistoryEntry } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

import { itemsOf, type Pages } from '#api/lists.ts'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'
import { isNone, isOwnField, type Names, tell, userIdsIn } from '#text/values.ts'

import { usePeople } from './people.tsx'
import { ProblemNotice } from './problem.tsx'

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<HistoryEntry>>
  /** Of what else than people is in it, by id. */
  readonly names?: Names
}

/** What became of a thing, the newest first: what changed, from what to what, by whom and when. */
export function Timeline({ query, names: others = new Map() }: Props) {
  const entries = itemsOf(query.data).toReversed()
  const changes = entries.flatMap((entry) => entry.changes)
  const people = usePeople(userIdsIn(changes.map(({ from, to }) => [from, to])))
  if (query.isPending) return <Waiting />
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
      <Line bulletSize={14} lineWidth={2} active={entries.length}>
        {entries.map((entry) => (
          <Line.Item key={`${entry.seq} ${entry.type}`} title={happening(entry.type)}>
            <Entry entry={entry} names={new Map([...others, ...people])} />
          </Line.Item>
        ))}
      </Line>
    </>
  )
}

function Waiting() {
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
          {isNone(from) ? '' : `${tell(from, { noun, field, names })} → `}
          {tell(to, { noun, field, names })}
        </Text>
      ))}
      <Text size="xs" c="dimmed" title={formatInstant(entry.occurred_at)}>
        {formatAge(entry.occurred_at)} · {t(`actor.${entry.actor.type}`)}
      </Text>
    </>
  )
}

/** `risk.reviewed` is “Reviewed”. */
const happening = (type: string) => fieldLabel(type.split('.').at(-1) ?? type)
