import { NativeSelect } from '@mantine/core'
import type { Person } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Pages } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { ListSection } from '#ui/list-section.tsx'
import { type Column, VirtualTable } from '#ui/virtual-table.tsx'

import { EmailLink } from './email-link.tsx'
import { GroupLinks } from './group-links.tsx'

const columns: readonly Column<Person>[] = [
  {
    name: t('people.name'),
    width: 'minmax(130px, 1.6fr)',
    isUnlabelled: true,
    cell: ({ id, name }) => (
      <AnchorLink to="/people/$user_id" params={{ user_id: id }} inherit fw={600}>
        {name}
      </AnchorLink>
    ),
  },
  {
    name: t('people.job'),
    width: 'minmax(120px, 1.6fr)',
    isUnlabelled: true,
    cell: ({ title }) => title,
  },
  {
    name: t('people.department'),
    width: 'minmax(110px, 1.3fr)',
    isUnlabelled: true,
    cell: ({ department }) => department,
  },
  {
    name: t('people.email'),
    width: 'minmax(150px, 2.6fr)',
    isUnlabelled: true,
    cell: ({ email }) => email && <EmailLink email={email} />,
  },
  {
    name: t('people.status'),
    width: '104px',
    isUnlabelled: true,
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
    isUnlabelled: true,
    cell: ({ group_ids }) => <GroupLinks groupIds={group_ids} shownMax={2} />,
  },
]

/** The API does not count beyond this number. */
const countMax = 10_000

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<Person>>
  /** Null if there are too many to count; undefined while loading. */
  readonly total: number | null | undefined
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly empty: ReactNode
}

export function DirectoryList({ query, total, sort, onSort, empty }: Props) {
  return (
    <ListSection
      title={t('people.list')}
      count={countText(total)}
      rightSection={
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
      <VirtualTable
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
  return total === null ? t('people.many', { most: countMax }) : t('people.count', { count: total })
}
