import { useForm } from '@mantine/form'
import type { Project } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { changesTo, isNothing } from '#ui/changes.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { showFlaws } from '#ui/problem.tsx'

import { changeProject } from './actions.ts'
import { bodyOf, ProjectFields, valuesOf } from './project-fields.tsx'

export interface ProjectDialogProps {
  readonly project: Project
  readonly onClose: () => void
}

export function EditProjectDialog({ project, onClose }: ProjectDialogProps) {
  // As it was when the dialog opened: what is read anew behind it was not seen.
  const [seen] = useState(project)
  const form = useForm({ initialValues: valuesOf(seen) })
  const submit = async () => {
    const changes = changesTo(bodyOf(valuesOf(seen)), bodyOf(form.getValues()))
    if (!isNothing(changes)) await showFlaws(form, changeProject(seen, changes))
  }
  return (
    <FormDialog
      title={t('project.edit.title', { code: seen.code })}
      submit={t('project.edit.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <ProjectFields form={form} />
    </FormDialog>
  )
}
