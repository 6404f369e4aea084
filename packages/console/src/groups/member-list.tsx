import { Badge, Checkbox, Group as Row } from '@mantine/core'
import type { Group, Person } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Pages } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { type Column, VirtualTable } from '#ui/virtual-table.tsx'

import { removeMembers, setLead } from './actions.ts'

interface Members {
  readonly group: Group
  /** Why the members cannot be changed; null if they can. */
  readonly reason: string | null
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}

interface Props extends Members {
  readonly query: UseInfiniteQueryResult<Pages<Person>>
  readonly total: number | null
  readonly empty: ReactNode
}

export function MemberList({ query, total, empty, ...members }: Props) {
  return (
    <VirtualTable
      label={t('members.title')}
      columns={columnsOf(members)}
      query={query}
      total={total}
      empty={empty}
    />
  )
}

const columnsOf = (members: Members): readonly Column<Person>[] => [
  {
    name: t('members.person'),
    width: 'minmax(220px, 3fr)',
    isUnlabelled: true,
    isWide: true,
    cell: (person) => <Member person={person} {...members} />,
  },
  {
    name: t('members.job'),
    width: 'minmax(120px, 2fr)',
    isUnlabelled: true,
    cell: ({ title }) => title,
  },
  {
    name: t('members.department'),
    width: 'minmax(110px, 1.5fr)',
    isUnlabelled: true,
    cell: ({ department }) => department,
  },
  {
    name: t('members.actions'),
    width: '200px',
    isUnlabelled: true,
    isWide: true,
    cell: (person) => <Actions person={person} {...members} />,
  },
]

interface MemberProps extends Members {
  readonly person: Person
}

function Member({ person, group, selected, onSelect }: MemberProps) {
  const { id, name, status } = person
  const toggle = () => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  return (
    <Row gap="xs" wrap="nowrap">
      <Checkbox
        size="md"
        aria-label={t('members.select', { name })}
        checked={selected.has(id)}
        onChange={toggle}
      />
      <Row gap={6} miw={0}>
        <AnchorLink to="/people/$user_id" params={{ user_id: id }} search={{}} inherit>
          {name}
        </AnchorLink>
        {group.lead_user_ids.includes(id) && (
          <Badge variant="outline" color="var(--mantine-color-text)" tt="none" size="sm">
            {t('members.lead')}
          </Badge>
        )}
        {status !== 'active' && <StatusBadge set="personStatus" status={status} />}
      </Row>
    </Row>
  )
}

function Actions({ person, group, reason }: MemberProps) {
  const { name } = person
  const isLead = group.lead_user_ids.includes(person.id)
  return (
    <Row gap={6} className="no-print">
      <ActionButton
        size="compact-sm"
        variant="default"
        reason={reason}
        aria-label={t(isLead ? 'members.end-lead-one' : 'members.make-lead-one', { name })}
        onClick={() => void setLead(group, person, !isLead)}
      >
        {t(isLead ? 'members.end-lead' : 'members.make-lead')}
      </ActionButton>
      <ActionButton
        size="compact-sm"
        variant="default"
        reason={reason}
        aria-label={t('members.remove-one', { name })}
        onClick={() => void removeMembers(group, [person])}
      >
        {t('members.remove')}
      </ActionButton>
    </Row>
  )
}
