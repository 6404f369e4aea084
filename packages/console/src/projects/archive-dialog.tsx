import { List, Radio, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@muster/client'
import type { Project } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { AnchorTo } from '#ui/links.tsx'
import { showFlaws } from '#ui/problem.tsx'
import { ProjectPicker } from '#ui/project-picker.tsx'

import { archiveProject } from './actions.ts'
import type { ProjectDialogProps } from './edit-project-dialog.tsx'
import { openTaskCountQuery, projectSummaryQuery } from './queries.ts'

import classes from './projects.module.css'

/** Asks what becomes of what still needs someone, if there is anything. */
export function ArchiveDialog({ project, onClose }: ProjectDialogProps) {
  const [seen] = useState(project)
  const left = useLeft(seen)
  const form = useForm({
    initialValues: { fate: 'fail', to_project_id: null as string | null },
  })
  const { fate, to_project_id } = form.values
  const submit = async () => {
    try {
      await showFlaws(form, archiveProject(seen, bodyOf(fate, to_project_id)))
    } catch (error) {
      const isLive = error instanceof ProblemError && error.code === 'project_has_live_items'
      if (isLive) form.setFieldError('fate', t('archive.refused'))
      throw error
    }
  }
  return (
    <FormDialog
      title={t('archive.title', { code: seen.code })}
      submit={t('archive.action')}
      onClose={onClose}
      onSubmit={submit}
      isDanger
    >
      <Text size="sm">{t('archive.about')}</Text>
      {left?.length === 0 && <Text size="sm">{t('archive.nothing-left')}</Text>}
      {left && left.length > 0 && (
        <>
          <LeftOver project={seen} left={left} onLeave={onClose} />
          <Radio.Group label={t('archive.fate')} {...form.getInputProps('fate')}>
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
          {fate === 'transfer' && (
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

function bodyOf(fate: string, heir: string | null) {
  if (fate === 'close') return { if_live_items: fate } as const
  if (fate !== 'transfer') return {}
  return { if_live_items: fate, ...(heir !== null && { to_project_id: heir }) } as const
}

interface Left {
  readonly tab: 'risks' | 'issues' | 'tasks'
  readonly count: number
  readonly status: string
}

/** What in a project still needs someone; undefined while that is not known. */
function useLeft({ id }: Project): readonly Left[] | undefined {
  // What is counted is asked for anew: others add to it and take from it.
  const { data: summary } = useQuery({ ...projectSummaryQuery(id), staleTime: 0 })
  const { data: tasks } = useQuery({ ...openTaskCountQuery(id), staleTime: 0 })
  if (summary === undefined || tasks === undefined) return undefined
  const all: readonly Left[] = [
    { tab: 'risks', count: summary?.live_risks ?? 0, status: 'identified,treating,monitoring' },
    { tab: 'issues', count: summary?.open_issues ?? 0, status: 'open,in_progress,blocked' },
    { tab: 'tasks', count: tasks ?? 0, status: 'todo,in_progress,blocked' },
  ]
  return all.filter(({ count }) => count > 0)
}

interface LeftOverProps {
  readonly project: Project
  readonly left: readonly Left[]
  /** Whoever goes to look at it is no longer asked. */
  readonly onLeave: () => void
}

function LeftOver({ project, left, onLeave }: LeftOverProps) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t('archive.left')}
      </Text>
      <List size="sm" aria-label={t('archive.left')} onClick={onLeave}>
        {left.map(({ tab, count, status }) => (
          <List.Item key={tab}>
            <AnchorTo
              to="/projects/$project_id"
              params={{ project_id: project.id }}
              search={{ tab, status }}
              className={classes.tall}
              inherit
            >
              {t(`archive.${tab}`, { count })}
            </AnchorTo>
          </List.Item>
        ))}
      </List>
    </div>
  )
}
