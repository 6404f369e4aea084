import { Alert } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Group } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useParams } from '@tanstack/react-router'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { StatusBadge } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Page } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { archiveGroup, restoreGroup } from './actions.ts'
import { GroupFacts } from './group-facts.tsx'
import { MembersSection } from './members-section.tsx'
import { groupQuery } from './queries.ts'
import { useReadOnlyReason } from './reasons.ts'

const EditGroupDialog = lazyRouteComponent(
  () => import('./edit-group-dialog.tsx'),
  'EditGroupDialog',
)

const breadcrumbs = [
  <AnchorLink key="groups" to="/groups" search={{}}>
    {t('groups.title')}
  </AnchorLink>,
]

export function GroupPage() {
  const { group_id } = useParams({ from: '/signed-in/groups/$group_id' })
  const { data: group, error } = useQuery(groupQuery(group_id))
  if (group) return <GroupDetails key={group.id} group={group} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('groups.title')} breadcrumbs={breadcrumbs}>
      <ProblemNotice error={error} />
    </Page>
  )
}

function GroupDetails({ group }: { readonly group: Group }) {
  const isArchived = group.status === 'archived'
  return (
    <Page
      title={group.name}
      rightSection={<StatusBadge set="groupStatus" status={group.status} />}
      breadcrumbs={breadcrumbs}
      actions={<Actions group={group} />}
    >
      {isArchived && (
        <Alert variant="outline" color="gray" role="note">
          {t('group.is-archived.notice')}
        </Alert>
      )}
      <GroupFacts group={group} />
      <MembersSection group={group} />
    </Page>
  )
}

function Actions({ group }: { readonly group: Group }) {
  const [isEditing, { open, close }] = useDisclosure(false)
  const missingScope = useMissingScopeReason('personnel.manage')
  const readOnly = useReadOnlyReason(group)
  const isArchived = group.status === 'archived'
  return (
    <>
      <ActionButton reason={readOnly} onClick={open}>
        {t('group.edit')}
      </ActionButton>
      <ActionButton
        variant="default"
        reason={missingScope ?? (isArchived ? t('group.is-archived-already') : null)}
        onClick={() => void archiveGroup(group)}
      >
        {t('group.archive')}
      </ActionButton>
      <ActionButton
        variant="default"
        reason={missingScope ?? (isArchived ? null : t('group.is-active'))}
        onClick={() => void restoreGroup(group)}
      >
        {t('group.restore')}
      </ActionButton>
      <LazyDialog isOpen={isEditing}>
        <EditGroupDialog group={group} onClose={close} />
      </LazyDialog>
    </>
  )
}
