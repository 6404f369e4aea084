import type { Workspace } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { useMissingScopeReason } from '#data/whoami.ts'
import { workspaceQuery } from '#data/workspace.ts'
import { Line, Lines, SettingsPage } from '#frame/settings-page.tsx'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useDialogs } from '#kit/form/dialogs.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { CopyButton } from '#kit/parts/copyable-text.tsx'
import { PagePending } from '#kit/parts/page-states.tsx'
import { Section } from '#kit/parts/page.tsx'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { currentTimeIn } from './time-zone.ts'

const dialogs = {
  edit: lazyRouteComponent(() => import('./edit-workspace-dialog.tsx'), 'EditWorkspaceDialog'),
}

export function WorkspacePage() {
  const { data: workspace, error, refetch } = useQuery(workspaceQuery)
  if (workspace) return <Settings workspace={workspace} />
  if (error === null) return <PagePending />
  return (
    <SettingsPage title={t('settings.general')}>
      <ProblemNotice error={error} onRetry={() => void refetch()} />
    </SettingsPage>
  )
}

interface Props {
  readonly workspace: Workspace
}

function Settings({ workspace }: Props) {
  const { open, dialog } = useDialogs('workspace/dialog', dialogs)
  const reason = useMissingScopeReason('workspace.manage')
  return (
    <SettingsPage
      title={t('settings.general')}
      actions={
        <ActionButton reason={reason} onClick={() => open('edit', workspace)}>
          {t('word.edit')}
        </ActionButton>
      }
    >
      <About workspace={workspace} />
      <Policies workspace={workspace} />
      {dialog}
    </SettingsPage>
  )
}

function About({ workspace }: Props) {
  const { id, name, time_zone, slug, created_at, updated_at } = workspace
  return (
    <Section title={t('workspace.about')}>
      <Lines>
        <Line name={t('word.name')} about={t('workspace.name.about')}>
          {name}
        </Line>
        <Line name={t('word.time-zone')} about={t('workspace.zone.about')}>
          {t('workspace.zone.shown', { zone: time_zone, time: currentTimeIn(time_zone) })}
        </Line>
        <Line name={t('workspace.slug')} about={t('workspace.slug.about')}>
          {slug === null ? t('value.none') : `/sign-in/${slug}`}
        </Line>
        <Line name={t('workspace.id')} about={t('workspace.id.about')}>
          <code className="wrap">{id}</code> <CopyButton name={t('workspace.id')} text={id} />
        </Line>
        <Line name={t('word.created')}>{formatInstant(created_at)}</Line>
        <Line name={t('word.changed')}>
          {formatInstant(updated_at)} ({formatAge(updated_at)})
        </Line>
      </Lines>
    </Section>
  )
}

function Policies({ workspace }: Props) {
  const { key_days_max: keyDays, session_days: count } = workspace.policies
  const { session_idle_hours: idleHours, sign_in_methods: methods } = workspace.policies
  return (
    <Section title={t('workspace.policies')}>
      <Lines>
        <Line name={t('workspace.key-days')} about={t('workspace.key-days.about')}>
          {keyDays === null ? t('workspace.key-days.any') : t('workspace.days', { count: keyDays })}
        </Line>
        <Line name={t('workspace.session-days')} about={t('workspace.session-days.about')}>
          {t('workspace.days', { count })}
        </Line>
        <Line name={t('workspace.idle-hours')} about={t('workspace.idle-hours.about')}>
          {t('workspace.hours', { count: idleHours })}
        </Line>
        <Line name={t('workspace.methods')} about={t('workspace.methods.about')}>
          {methods.map((method) => label('allowedMethod', method)).join(', ')}
        </Line>
      </Lines>
    </Section>
  )
}
