import { Code, SimpleGrid, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Workspace } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { useMissingScopeReason } from '#api/whoami.ts'
import { workspaceQuery } from '#api/workspace.ts'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { PagePending } from '#ui/page-states.tsx'
import { Fact, Page, Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { currentTimeIn } from './time-zone.ts'

const EditWorkspaceDialog = lazyRouteComponent(
  () => import('./edit-workspace-dialog.tsx'),
  'EditWorkspaceDialog',
)

export function WorkspacePage() {
  const { data: workspace, error } = useQuery(workspaceQuery)
  if (workspace) return <Settings workspace={workspace} />
  if (error === null) return <PagePending />
  return (
    <Page title={t('workspace.title')}>
      <ProblemNotice error={error} />
    </Page>
  )
}

function Settings({ workspace }: { readonly workspace: Workspace }) {
  const [isEditing, { open, close }] = useDisclosure(false)
  const reason = useMissingScopeReason('workspace.manage')
  return (
    <Page
      title={t('workspace.title')}
      actions={
        <ActionButton reason={reason} onClick={open}>
          {t('workspace.edit')}
        </ActionButton>
      }
    >
      <About workspace={workspace} />
      <Policies policies={workspace.policies} />
      <LazyDialog isOpen={isEditing}>
        <EditWorkspaceDialog workspace={workspace} onClose={close} />
      </LazyDialog>
    </Page>
  )
}

function About({ workspace }: { readonly workspace: Workspace }) {
  const { id, name, time_zone, created_at, updated_at } = workspace
  return (
    <Section title={t('workspace.about')}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0} spacing="sm">
        <Fact name={t('workspace.name')}>{name}</Fact>
        <Fact name={t('workspace.zone')}>
          {t('workspace.zone.shown', { zone: time_zone, time: currentTimeIn(time_zone) })}
          <Text span size="xs" c="dimmed" display="block">
            {t('workspace.zone.about')}
          </Text>
        </Fact>
        <Fact name={t('workspace.id')}>
          <Code className="wrap">{id}</Code>
        </Fact>
        <Fact name={t('workspace.created')}>{formatInstant(created_at)}</Fact>
        <Fact name={t('workspace.changed')}>
          {formatInstant(updated_at)} ({formatAge(updated_at)})
        </Fact>
      </SimpleGrid>
    </Section>
  )
}

function Policies({ policies }: Pick<Workspace, 'policies'>) {
  const { key_days_max: keyDays, session_days: count } = policies
  return (
    <Section title={t('workspace.policies')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('workspace.policies.about')}
      </Text>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0} spacing="sm">
        <Fact name={t('workspace.key-days')}>
          {keyDays === null ? t('workspace.key-days.any') : t('workspace.days', { count: keyDays })}
        </Fact>
        <Fact name={t('workspace.session-days')}>{t('workspace.days', { count })}</Fact>
      </SimpleGrid>
      <Text size="sm" mt="md">
        <AnchorLink to="/keys" search={{}} underline="always">
          {t('workspace.keys')}
        </AnchorLink>
      </Text>
    </Section>
  )
}
