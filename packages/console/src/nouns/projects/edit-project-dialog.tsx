import { TextInput } from '@mantine/core'
import type { Project } from '@muster/contract'
import { useState } from 'react'

import { changedFields, isEmpty } from '#data/change/changes.ts'
import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'

import { changeProject } from './actions.ts'
import { ProjectFields, toBody, toFormValues } from './project-fields.tsx'

export interface ProjectDialogProps {
  readonly project: Project
  readonly onClose: () => void
}

export function EditProjectDialog({ project, onClose }: ProjectDialogProps) {
  // The project as it was when the dialog opened: a background refetch must not change it.
  const [seen] = useState(project)
  const form = useKeptForm('projects/edit-project', { initialValues: toFormValues(seen) })
  const submit = async () => {
    const changes = changedFields(toBody(toFormValues(seen)), toBody(form.getValues()))
    if (!isEmpty(changes)) await withFieldErrors(form, changeProject(seen, changes))
  }
  return (
    <FormDialog
      title={t('project.edit.title', { code: seen.code })}
      submit={t('project.edit.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput label={t('project.name')} maxLength={200} {...form.getInputProps('name')} />
      <ProjectFields form={form} />
    </FormDialog>
  )
}
