import { Group } from '@mantine/core'
import type { AccessEntry, AccessList } from '@muster/contract'

import { GroupLink, useGroupName } from '#people/group-links.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { IconUsersGroup } from '#ui/icons/index.tsx'
import type { Column } from '#ui/list/columns.ts'
import { SmallList } from '#ui/list/small-list.tsx'
import { Title } from '#ui/list/title.tsx'
import { EmptyState } from '#ui/page.tsx'
import { Avatar } from '#ui/parts/person.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'
import { ActionMenu } from '#ui/record/action-menu.tsx'

import { subjectOf } from './actions.ts'
import type { EntryAction, NamedEntry } from './entry.ts'
import { GroupMembers } from './group-members.tsx'

interface Props {
  /** Undefined while loading. */
  readonly list: AccessList | undefined
  readonly error: unknown
  readonly onAction: (action: EntryAction, entry: NamedEntry) => void
}

export function EntryList({ list, error, onAction }: Props) {
  const names = usePersonNames(list?.entries.map(({ user_id }) => user_id) ?? [])
  return (
    <SmallList
      label={t('access.list')}
      columns={columnsWith(names, onAction)}
      items={list?.entries}
      error={error}
      idOf={subjectOf}
      empty={<EmptyState title={t('access.none')} advice={t('access.none.about')} />}
    />
  )
}

const columnsWith = (
  names: ReadonlyMap<string, string>,
  onAction: Props['onAction'],
): readonly Column<AccessEntry>[] => [
  {
    name: t('access.who'),
    width: 'minmax(0, 2fr)',
    phone: 'title',
    cell: (entry) => <Subject entry={entry} names={names} />,
  },
  {
    name: t('access.through'),
    width: 'minmax(0, 2fr)',
    from: 620,
    cell: (entry) => <Through entry={entry} />,
  },
  {
    name: t('access.role'),
    width: '120px',
    phone: 'meta',
    cell: ({ role }) => label('role', role),
  },
  {
    name: t('access.actions'),
    width: '140px',
    phone: 'end',
    isNameHidden: true,
    cell: (entry) => <Actions entry={entry} names={names} onAction={onAction} />,
  },
]

interface EntryProps {
  readonly entry: AccessEntry
  readonly names: ReadonlyMap<string, string>
}

function Subject({ entry: { group_id, user_id }, names }: EntryProps) {
  if (group_id !== null)
    return (
      <Title>
        <IconUsersGroup size={16} />
        <GroupLink groupId={group_id} />
      </Title>
    )
  return (
    <Title>
      <Avatar name={user_id === null ? null : (names.get(user_id) ?? null)} />
      <PersonLink userId={user_id} names={names} />
    </Title>
  )
}

/** How the role reaches a person: by their own entry, or by the group. */
function Through({ entry }: { readonly entry: AccessEntry }) {
  const { group_id, is_granting } = entry
  if (group_id === null) return t('access.through.own')
  if (!is_granting) return t('access.archived')
  return <GroupMembers entry={entry} groupId={group_id} />
}

interface ActionsProps extends EntryProps {
  readonly onAction: Props['onAction']
}

function Actions({ entry, names, onAction }: ActionsProps) {
  const groupName = useGroupName(entry.group_id)
  const { user_id } = entry
  const name = user_id === null ? groupName : (names.get(user_id) ?? t('actor.name.person'))
  const start = (action: EntryAction) => () => onAction(action, { ...entry, name })
  const forPerson = [
    { name: `${t('link.action')} …`, onClick: start('link') },
    { name: `${t('end-sessions.action')} …`, onClick: start('end') },
  ]
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap" className="no-print">
      <ActionButton
        size="compact-sm"
        aria-label={t('access.change.one', { name })}
        onClick={start('change')}
      >
        {t('access.change')}
      </ActionButton>
      <ActionMenu
        of={name}
        groups={[
          user_id === null ? [] : forPerson,
          [{ name: `${t('access.remove')} …`, onClick: start('remove'), isDanger: true }],
        ]}
      />
    </Group>
  )
}
