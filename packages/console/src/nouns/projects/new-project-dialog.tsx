import { NativeSelect, TextInput } from '@mantine/core'
import type { NewProject } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { client } from '#data/client.ts'
import { invalidate } from '#data/query-client.ts'
import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { showSuccess } from '#kit/feedback/toast.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { emptyValues, ProjectFields, toBody } from './project-fields.tsx'
import { suggestCode } from './suggest-code.ts'

interface Props {
  readonly onClose: () => void
}

/** Creates a project, then opens its page. */
export function NewProjectDialog({ onClose }: Props) {
  const navigate = useNavigate()
  const form = useKeptForm('projects/new-project', {
    initialValues: { ...emptyValues, code: '', health: '' },
  })
  // The code follows the name until the user edits the code.
  const [isCodeEdited, setCodeEdited] = useState(false)
  const submit = async () => {
    const { code, health, ...values } = form.getValues()
    const body: NewProject = {
      ...toBody(values),
      code: code.trim().toUpperCase(),
      // The cast holds because only the values of the set are offered.
      health: (health || null) as NonNullable<NewProject['health']> | null,
    }
    const { id } = await withFieldErrors(form, client.projects.create({ body }))
    showSuccess(t('project.opened', { code: body.code }))
    // Who is signed in comes with the number of projects, on which the first pages depend.
    await invalidate('projects', 'keys')
    await navigate({ to: '/projects/$project_id', params: { project_id: id }, search: {} })
  }
  return (
    <FormDialog
      title={t('project.new.title')}
      submit={t('project.new.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('project.name')}
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
        onChange={({ currentTarget: { value } }) =>
          form.setValues({ name: value, ...(!isCodeEdited && { code: suggestCode(value) }) })
        }
      />
      <TextInput
        label={t('project.code')}
        description={t('project.code.about')}
        maxLength={10}
        autoCapitalize="characters"
        {...form.getInputProps('code')}
        onChange={({ currentTarget: { value } }) => {
          setCodeEdited(value !== '')
          form.setFieldValue('code', value.toUpperCase())
        }}
      />
      <ProjectFields form={form} />
      <NativeSelect
        label={t('health.health')}
        data={[{ value: '', label: t('health.not-set') }, ...choices('projectHealth')]}
        {...form.getInputProps('health')}
      />
    </FormDialog>
  )
}
