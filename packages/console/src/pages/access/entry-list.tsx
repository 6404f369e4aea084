import { Group } from '@mantine/core'
import type { AccessEntry, AccessList } from '@muster/contract'

import { IconUsersGroup } from '#kit/icons/index.tsx'
import type { Column } from '#kit/list/columns.ts'
import { SmallList } from '#kit/list/small-list.tsx'
import { Title } from '#kit/list/title.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { Avatar } from '#kit/parts/person.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { GroupLink, useGroupName } from '#kit/references/group-links.tsx'
import { PersonLink, usePersonNames } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { subjectOf } from './actions.ts'
import type { EntryAction, NamedEntry } from './entry.ts'
import { GroupMembers } from './group-members.tsx'
import { IdentityNote } from './identity-note.tsx'
import type { OpenSignInDialog, SignInAction } from './sign-in-dialogs.ts'

import classes from './identity-note.module.css'

interface Props {
  /** Undefined while loading. */
  readonly list: AccessList | undefined
  readonly error: unknown
  readonly onAction: (action: EntryAction, entry: NamedEntry) => void
  readonly openSignIn: OpenSignInDialog
}

export function EntryList({ list, error, ...actions }: Props) {
  const names = usePersonNames(list?.entries.map(({ user_id }) => user_id) ?? [])
  return (
    <SmallList
      label={t('access.list')}
      columns={columnsWith({ names, ...actions })}
      items={list?.entries}
      error={error}
      idOf={subjectOf}
      empty={<EmptyState title={t('access.none')} advice={t('access.none.about')} />}
    />
  )
}

type Shared = Pick<Props, 'onAction' | 'openSignIn'> & {
  readonly names: ReadonlyMap<string, string>
}

const columnsWith = (shared: Shared): readonly Column<AccessEntry>[] => [
  {
    name: t('access.who'),
    width: 'minmax(0, 1.8fr)',
    phone: 'title',
    cell: (entry) => <Subject entry={entry} {...shared} />,
  },
  {
    name: t('access.through'),
    width: 'minmax(0, 1.4fr)',
    from: 620,
    cell: (entry) => <Through entry={entry} />,
  },
  {
    name: t('access.role'),
    width: 'minmax(0, 3fr)',
    phone: 'meta',
    cell: (entry) => <Role entry={entry} {...shared} />,
  },
  {
    name: t('list.actions'),
    width: '140px',
    phone: 'end',
    isNameHidden: true,
    cell: (entry) => <Actions entry={entry} {...shared} />,
  },
]

interface EntryProps extends Shared {
  readonly entry: AccessEntry
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
function Through({ entry }: Pick<EntryProps, 'entry'>) {
  const { group_id, is_granting } = entry
  if (group_id === null) return t('access.through.own')
  if (!is_granting) return t('access.archived')
  return <GroupMembers entry={entry} groupId={group_id} />
}

/** The role, and an unconfirmed change of the identity of its person. */
function Role({ entry: { role, user_id, identity_change }, names, openSignIn }: EntryProps) {
  if (identity_change === null || user_id === null) return label('role', role)
  const person = { id: user_id, name: nameIn(names, user_id), identity_change }
  return (
    <span className={classes.role}>
      <span>{label('role', role)}</span>
      <IdentityNote change={identity_change} onClick={() => openSignIn('confirm', person)} />
    </span>
  )
}

function Actions({ entry, names, onAction, openSignIn }: EntryProps) {
  const groupName = useGroupName(entry.group_id)
  const { user_id, identity_change } = entry
  const name = user_id === null ? groupName : nameIn(names, user_id)
  const start = (action: EntryAction) => () => onAction(action, { ...entry, name })
  const signIn = (action: SignInAction, text: string) => ({
    name: `${text} …`,
    onClick: () => openSignIn(action, { id: user_id ?? '', name, identity_change }),
  })
  const forPerson = [
    ...(identity_change ? [signIn('confirm', t('person-access.confirm'))] : []),
    signIn('link', t('link.action')),
    signIn('end', t('end-sessions.action')),
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
          [{ name: `${t('word.remove')} …`, onClick: start('remove'), isDanger: true }],
        ]}
      />
    </Group>
  )
}

const nameIn = (names: EntryProps['names'], userId: string) =>
  names.get(userId) ?? t('actor.name.person')
