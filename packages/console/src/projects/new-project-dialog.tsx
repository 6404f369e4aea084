import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NewProject } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'

import { refresh } from '#api/cache.ts'
import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { showFlaws } from '#ui/problem.tsx'
import { sayDone } from '#ui/toast.tsx'

import { bodyOf, noValues, ProjectFields } from './project-fields.tsx'

interface Props {
  readonly onClose: () => void
}

/** Opens a project, and goes to it: what could go wrong in it is entered there. */
export function NewProjectDialog({ onClose }: Props) {
  const navigate = useNavigate()
  const form = useForm({ initialValues: { ...noValues, code: '', health: '' } })
  const submit = async () => {
    const { code, health, ...values } = form.getValues()
    const body: NewProject = {
      ...bodyOf(values),
      code: code.trim().toUpperCase(),
      // The cast holds because the words of the set are offered, and nothing else.
      health: (health || null) as NonNullable<NewProject['health']> | null,
    }
    const { id } = await showFlaws(form, client.projects.create({ body }))
    sayDone(t('project.opened', { code: body.code }))
    await refresh('projects')
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
        data={[{ value: '', label: t('health.unsaid') }, ...choices('projectHealth')]}
        {...form.getInputProps('health')}
      />
    </FormDialog>
  )
}
