import { Button, List, Popover, Text } from '@mantine/core'
import type { AccessEntry } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { IconChevronDown } from '#kit/icons/index.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { PagePending } from '#kit/parts/page-states.tsx'
import { useGroupName } from '#kit/references/group-links.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { membersQuery } from './queries.ts'

interface Props {
  readonly entry: AccessEntry
  readonly groupId: string
}

/** The people who have the role through this group. They load when the list is opened. */
export function GroupMembers({ entry, groupId }: Props) {
  const [isOpen, setOpen] = useState(false)
  const name = useGroupName(groupId)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" returnFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          px={4}
          aria-expanded={isOpen}
          aria-label={t('access.members.show.of', { name })}
          rightSection={<IconChevronDown size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('access.through.group')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('access.members.show.of', { name })}>
        {isOpen && (
          <Members
            groupId={groupId}
            title={t('access.members.of', { name, role: label('role', entry.role) })}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function Members({ groupId, title }: { readonly groupId: string; readonly title: string }) {
  const { data, error } = useQuery(membersQuery(groupId))
  if (error) return <ProblemNotice error={error} />
  if (data === undefined) return <PagePending />
  if (data.data.length === 0) return <Text size="sm">{t('access.members.none')}</Text>
  return (
    <>
      <List size="sm" listStyleType="none" aria-label={title} mt={4}>
        {data.data.map((person) => (
          <List.Item key={person.id}>
            <AnchorLink to="/people/$user_id" params={{ user_id: person.id }} inherit>
              {person.name}
            </AnchorLink>
          </List.Item>
        ))}
      </List>
      {data.next_cursor !== null && (
        <AnchorLink to="/groups/$group_id" params={{ group_id: groupId }} size="sm">
          {t('access.members.more')}
        </AnchorLink>
      )}
    </>
  )
}
