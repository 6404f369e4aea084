import { NativeSelect } from '@mantine/core'
import type { Person } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Pages } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorTo } from '#ui/links.tsx'
import { ListSection } from '#ui/list-section.tsx'
import { type Column, RankedList } from '#ui/ranked-list.tsx'

import { EmailLink } from './email-link.tsx'
import { GroupLinks } from './group-name.tsx'

const columns: readonly Column<Person>[] = [
  {
    name: t('people.name'),
    width: 'minmax(130px, 1.6fr)',
    isPlain: true,
    cell: ({ id, name }) => (
      <AnchorTo to="/people/$user_id" params={{ user_id: id }} inherit fw={600}>
        {name}
      </AnchorTo>
    ),
  },
  {
    name: t('people.job'),
    width: 'minmax(120px, 1.6fr)',
    isPlain: true,
    cell: ({ title }) => title,
  },
  {
    name: t('people.department'),
    width: 'minmax(110px, 1.3fr)',
    isPlain: true,
    cell: ({ department }) => department,
  },
  {
    name: t('people.email'),
    width: 'minmax(150px, 2.6fr)',
    isPlain: true,
    cell: ({ email }) => email && <EmailLink email={email} />,
  },
  {
    name: t('people.status'),
    width: '104px',
    isPlain: true,
    cell: ({ status }) =>
      status === 'active' ? (
        label('personStatus', status)
      ) : (
        <StatusBadge set="personStatus" status={status} />
      ),
  },
  {
    name: t('people.groups'),
    width: 'minmax(130px, 1.7fr)',
    isPlain: true,
    cell: ({ group_ids }) => <GroupLinks groupIds={group_ids} most={2} />,
  },
]

/** Beyond this many the service does not count. */
const countedMost = 10_000

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<Person>>
  /** Null for too many to be counted; undefined while it is not known. */
  readonly total: number | null | undefined
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly empty: ReactNode
}

/** Everyone who matches, however many they are. */
export function DirectoryList({ query, total, sort, onSort, empty }: Props) {
  return (
    <ListSection
      title={t('people.list')}
      count={countText(total)}
      beside={
        <NativeSelect
          className="no-print"
          size="xs"
          aria-label={t('people.order')}
          value={sort}
          onChange={({ currentTarget }) => onSort(currentTarget.value)}
          data={[
            { value: 'name', label: t('people.order.name') },
            { value: '-created_at', label: t('people.order.newest') },
            { value: '-updated_at', label: t('people.order.changed') },
          ]}
        />
      }
    >
      <RankedList
        label={t('people.list')}
        columns={columns}
        query={query}
        total={total ?? null}
        empty={empty}
      />
    </ListSection>
  )
}

function countText(total: number | null | undefined): string {
  if (total === undefined) return ''
  return total === null
    ? t('people.many', { most: countedMost })
    : t('people.count', { count: total })
}
