import { List, Radio, Stack, Text } from '@mantine/core'
import { ProblemError } from '@muster/client'
import type { Project } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { AnchorLink } from '#kit/parts/links.tsx'
import { ProjectPicker } from '#kit/references/project-picker.tsx'
import { t } from '#text/index.ts'

import { archiveProject, type CurrentStatus, restoreProject } from './actions.ts'
import { currentStatuses, projectFields } from './fields.ts'
import { openTaskCountQuery, projectSummaryQuery } from './queries.ts'

import classes from './projects.module.css'

/** Asks what to do with live risks, open issues and open tasks, if there are any. */
export function ArchiveDialog({ seen, onClose }: DialogProps<Project>) {
  const liveItems = useLiveItemCounts(seen)
  const form = useKeptForm('projects/archive', {
    initialValues: { liveItemsAction: 'fail', to_project_id: null as string | null },
  })
  const { liveItemsAction, to_project_id } = form.values
  const submit = async () => {
    try {
      await withFieldErrors(form, archiveProject(seen, toBody(liveItemsAction, to_project_id)))
    } catch (error) {
      const isLive = error instanceof ProblemError && error.code === 'project_has_live_items'
      if (isLive) form.setFieldError('liveItemsAction', t('archive.refused'))
      throw error
    }
  }
  return (
    <FormDialog
      title={t('archive.title', { code: seen.code })}
      submit={t('word.archive')}
      onClose={onClose}
      onSubmit={submit}
      isDanger
    >
      <Text size="sm">{t('archive.about')}</Text>
      {liveItems?.length === 0 && <Text size="sm">{t('archive.nothing-left')}</Text>}
      {liveItems && liveItems.length > 0 && (
        <>
          <LiveItemLinks project={seen} liveItems={liveItems} onNavigate={onClose} />
          <Radio.Group label={t('archive.open-items')} {...form.getInputProps('liveItemsAction')}>
            <Stack gap="xs" mt={6} mb={4}>
              <Radio value="fail" label={t('archive.fail')} data-autofocus />
              <Radio
                value="close"
                label={t('archive.close')}
                description={t('archive.close.about')}
              />
              <Radio
                value="transfer"
                label={t('archive.transfer')}
                description={t('archive.transfer.about')}
              />
            </Stack>
          </Radio.Group>
          {liveItemsAction === 'transfer' && (
            <ProjectPicker
              label={t('archive.to')}
              value={to_project_id}
              onChange={(id) => form.setFieldValue('to_project_id', id)}
              error={form.errors['to_project_id']}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

function toBody(liveItemsAction: string, targetProjectId: string | null) {
  if (liveItemsAction === 'close') return { if_live_items: liveItemsAction } as const
  if (liveItemsAction !== 'transfer') return {}
  return {
    if_live_items: liveItemsAction,
    ...(targetProjectId !== null && { to_project_id: targetProjectId }),
  } as const
}

interface LiveItemCount {
  readonly list: 'risks' | 'issues' | 'tasks'
  readonly count: number
}

/** The counts of live items; undefined while loading. */
function useLiveItemCounts({ id }: Project): readonly LiveItemCount[] | undefined {
  // Refetch the counts: other users may have changed them.
  const { data: summary } = useQuery({ ...projectSummaryQuery(id), staleTime: 0 })
  const { data: tasks } = useQuery({ ...openTaskCountQuery(id), staleTime: 0 })
  if (summary === undefined || tasks === undefined) return undefined
  const all: readonly LiveItemCount[] = [
    { list: 'risks', count: summary?.live_risks ?? 0 },
    { list: 'issues', count: summary?.open_issues ?? 0 },
    { list: 'tasks', count: tasks ?? 0 },
  ]
  return all.filter(({ count }) => count > 0)
}

interface LiveItemLinksProps {
  readonly project: Project
  readonly liveItems: readonly LiveItemCount[]
  /** Closes the dialog when the user follows a link. */
  readonly onNavigate: () => void
}

function LiveItemLinks({ project, liveItems, onNavigate }: LiveItemLinksProps) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t('archive.left')}
      </Text>
      <List size="sm" aria-label={t('archive.left')} onClick={onNavigate}>
        {liveItems.map(({ list, count }) => (
          <List.Item key={list}>
            <AnchorLink
              to={`/${list}`}
              search={{ project_id: project.id }}
              className={classes.tall}
              inherit
            >
              {t(`archive.${list}`, { count })}
            </AnchorLink>
          </List.Item>
        ))}
      </List>
    </div>
  )
}

const restoredStatus = { ...projectFields.status, label: t('restore.status') }

export const RestoreDialog = ({ seen, onClose }: DialogProps<Project>) => (
  <ActionDialog<{ status: CurrentStatus }>
    draft="projects/restore"
    title={t('restore.title', { code: seen.code })}
    submit={t('word.restore')}
    initialValues={{ status: 'active' }}
    send={({ status }) => restoreProject(seen, status)}
    onClose={onClose}
  >
    {(form) => (
      <>
        <Text size="sm">{t('restore.about')}</Text>
        <FieldInput form={form} field={restoredStatus} offered={currentStatuses} isFirst />
      </>
    )}
  </ActionDialog>
)
