import type { Group } from '@muster/contract'
import { lazyRouteComponent, useParams } from '@tanstack/react-router'

import { useMissingScopeReason } from '#data/whoami.ts'
import { useDialogs } from '#kit/form/dialogs.tsx'
import { IconPlus } from '#kit/icons/index.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { RecordHead, RecordNotice, RecordPage } from '#kit/record/record-page.tsx'
import { RecordRoute } from '#kit/record/record-route.tsx'
import { t } from '#text/index.ts'

import { changeStatus, groupQuery } from './actions.ts'
import { GroupProperties } from './group-properties.tsx'
import { Members, MembersBulkBar, useMembers } from './members.tsx'

const form = () => import('./group-form.tsx')

const dialogs = {
  edit: lazyRouteComponent(form, 'EditGroupDialog'),
  add: lazyRouteComponent(form, 'AddMembersDialog'),
}

const crumbs = [{ to: '/groups', text: t('groups.title') }] as const

export function GroupPage() {
  const { group_id: id } = useParams({ from: '/signed-in/groups/$group_id' })
  return (
    <RecordRoute query={groupQuery({ id })} title={t('groups.title')} crumbs={crumbs}>
      {(group) => <GroupRecord key={group.id} group={group} />}
    </RecordRoute>
  )
}

function GroupRecord({ group }: { readonly group: Group }) {
  const { open, dialog } = useDialogs('group/dialog', dialogs)
  const reason = useMissingScopeReason('personnel.manage')
  const members = useMembers(group)
  const isArchived = group.status === 'archived'
  return (
    <RecordPage
      title={group.name}
      crumbs={crumbs}
      name={group.name}
      actions={
        !isArchived && (
          <>
            <ActionMenu
              of={group.name}
              groups={[
                [{ name: `${t('word.edit')} …`, onClick: () => open('edit', group), reason }],
                [
                  {
                    name: t('word.archive'),
                    onClick: () => void changeStatus(group, 'archive'),
                    reason,
                  },
                ],
              ]}
            />
            <ActionButton
              variant="filled"
              leftSection={<IconPlus size={16} />}
              reason={reason}
              onClick={() => open('add', group)}
            >
              {t('members.add')}
            </ActionButton>
          </>
        )
      }
      properties={<GroupProperties group={group} />}
      list={<Members group={group} members={members} />}
      floating={<MembersBulkBar group={group} members={members} />}
    >
      <RecordHead title={group.name} description={group.description} />
      {isArchived && (
        <RecordNotice
          action={
            <ActionButton
              size="compact-sm"
              reason={reason}
              onClick={() => void changeStatus(group, 'restore')}
            >
              {t('word.restore')}
            </ActionButton>
          }
        >
          {t('group.is-archived.notice')}
        </RecordNotice>
      )}
      {dialog}
    </RecordPage>
  )
}
