import { NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'

import { type CurrentStatus, restoreProject } from './actions.ts'
import type { ProjectDialogProps } from './edit-project-dialog.tsx'
import { currentStatuses } from './project-fields.tsx'

export function RestoreDialog({ project, onClose }: ProjectDialogProps) {
  const [seen] = useState(project)
  const form = useKeptForm<{ status: CurrentStatus }>('projects/restore', {
    initialValues: { status: 'active' },
  })
  return (
    <FormDialog
      title={t('restore.title', { code: seen.code })}
      submit={t('restore.action')}
      onClose={onClose}
      onSubmit={() => withFieldErrors(form, restoreProject(seen, form.getValues().status))}
    >
      <Text size="sm">{t('restore.about')}</Text>
      <NativeSelect
        label={t('restore.status')}
        data={currentStatuses}
        data-autofocus
        {...form.getInputProps('status')}
      />
    </FormDialog>
  )
}
