import { NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useKeptForm } from '#ui/kept-form.ts'
import { withFieldErrors } from '#ui/problem.tsx'

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
