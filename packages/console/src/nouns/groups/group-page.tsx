import type { Group } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useParams } from '@tanstack/react-router'

import { useMissingScopeReason } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useKeptDisclosure } from '#kit/form/draft.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { PagePending } from '#kit/parts/page-states.tsx'
import { Page } from '#kit/parts/page.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { RecordHead, RecordNotice, RecordPage } from '#kit/record/record-page.tsx'
import { groupQuery } from '#kit/references/groups.ts'
import { t } from '#text/index.ts'

import { archiveGroup, restoreGroup } from './actions.ts'
import { GroupProperties } from './group-properties.tsx'
import { Members, MembersBulkBar, useMembers } from './members.tsx'

const EditGroupDialog = lazyRouteComponent(
  () => import('./edit-group-dialog.tsx'),
  'EditGroupDialog',
)
const AddMembersDialog = lazyRouteComponent(
  () => import('./add-members-dialog.tsx'),
  'AddMembersDialog',
)

const crumbs = [
  <AnchorLink key="groups" to="/groups" search={{}} inherit>
    {t('groups.title')}
  </AnchorLink>,
]

export function GroupPage() {
  const { group_id } = useParams({ from: '/signed-in/groups/$group_id' })
  const { data: group, error } = useQuery(groupQuery(group_id))
  if (group) return <GroupRecord key={group.id} group={group} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('groups.title')} breadcrumbs={crumbs}>
      <ProblemNotice error={error} />
    </Page>
  )
}

function GroupRecord({ group }: { readonly group: Group }) {
  const [isEditing, editing] = useKeptDisclosure('group/edit')
  const [isAdding, adding] = useKeptDisclosure('group/add')
  const reason = useMissingScopeReason('personnel.manage')
  const members = useMembers(group)
  const isArchived = group.status === 'archived'
  const add = (
    <ActionButton
      variant="filled"
      leftSection={<IconPlus size={16} />}
      reason={reason}
      onClick={adding.open}
    >
      {t('members.add')}
    </ActionButton>
  )
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
                [{ name: `${t('group.edit')} …`, onClick: editing.open, reason }],
                [{ name: t('group.archive'), onClick: () => void archiveGroup(group), reason }],
              ]}
            />
            {add}
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
              onClick={() => void restoreGroup(group)}
            >
              {t('group.restore')}
            </ActionButton>
          }
        >
          {t('group.is-archived.notice')}
        </RecordNotice>
      )}
      <LazyDialog isOpen={isEditing}>
        <EditGroupDialog group={group} onClose={editing.close} />
      </LazyDialog>
      <LazyDialog isOpen={isAdding}>
        <AddMembersDialog group={group} onClose={adding.close} />
      </LazyDialog>
    </RecordPage>
  )
}
