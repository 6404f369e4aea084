import { Text, Title } from '@mantine/core'
import type { Group } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'

import type { ListResponse } from '#api/lists.ts'
import { formatAge, formatInstant } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { PersonLink } from '#ui/people.tsx'
import { type Column, VirtualTable } from '#ui/virtual-table.tsx'

import { shownLeadsMax, useLeadNames } from './queries.ts'

interface Props {
  readonly query: UseInfiniteQueryResult<{ readonly pages: readonly ListResponse<Group>[] }>
  readonly empty: ReactNode
}

export function GroupsList({ query, empty }: Props) {
  const pages = query.data?.pages ?? []
  const names = useLeadNames(pages)
  const total = pages[0]?.total_count ?? null
  return (
    <section aria-label={t('groups.list')}>
      <Title order={2} size="h4" mb="xs" aria-live="polite">
        {total === null ? t('groups.list') : t('groups.count', { count: total })}
      </Title>
      <VirtualTable
        label={t('groups.list')}
        columns={columnsWith(names)}
        query={query}
        total={total}
        empty={empty}
      />
    </section>
  )
}

const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Group>[] => [
  {
    name: t('groups.column.group'),
    width: 'minmax(220px, 3fr)',
    isUnlabelled: true,
    isWide: true,
    cell: ({ id, name, description }) => (
      <>
        <div>
          <AnchorLink to="/groups/$group_id" params={{ group_id: id }} search={{}} inherit>
            {name}
          </AnchorLink>
        </div>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {description}
        </Text>
      </>
    ),
  },
  {
    name: t('groups.leads'),
    width: 'minmax(150px, 2fr)',
    isWide: true,
    cell: ({ lead_user_ids }) => <Leads ids={lead_user_ids} names={names} />,
  },
  {
    name: t('groups.members'),
    width: '88px',
    cell: ({ member_count }) => <span className="number">{formatNumber(member_count)}</span>,
  },
  {
    name: t('groups.status'),
    width: '110px',
    cell: ({ status }) => <StatusBadge set="groupStatus" status={status} />,
  },
  {
    name: t('groups.changed'),
    width: '120px',
    cell: ({ updated_at }) => (
      <span title={formatInstant(updated_at)}>{formatAge(updated_at)}</span>
    ),
  },
]

interface LeadsProps {
  readonly ids: readonly string[]
  readonly names: ReadonlyMap<string, string>
}

function Leads({ ids, names }: LeadsProps) {
  if (ids.length === 0)
    return (
      <Text span c="dimmed" inherit>
        {t('groups.no-lead')}
      </Text>
    )
  const others = ids.length - shownLeadsMax
  return (
    <span>
      {ids.slice(0, shownLeadsMax).map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <PersonLink userId={id} names={names} />
        </Fragment>
      ))}
      {others > 0 && (
        <Text span inherit display="inline-block" ml={4}>
          {t('groups.more-leads', { count: others })}
        </Text>
      )}
    </span>
  )
}
