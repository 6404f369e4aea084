import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NewProject } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'

import { client } from '#api/client.ts'
import { invalidate } from '#api/query-client.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { withFieldErrors } from '#ui/problem.tsx'
import { showSuccess } from '#ui/toast.tsx'

import { emptyValues, ProjectFields, toBody } from './project-fields.tsx'

interface Props {
  readonly onClose: () => void
}

/** Creates a project, then opens its page. */
export function NewProjectDialog({ onClose }: Props) {
  const navigate = useNavigate()
  const form = useForm({ initialValues: { ...emptyValues, code: '', health: '' } })
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
    await invalidate('projects')
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
        label={t('project.code')}
        description={t('project.code.about')}
        maxLength={10}
        autoCapitalize="characters"
        data-autofocus
        {...form.getInputProps('code')}
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
