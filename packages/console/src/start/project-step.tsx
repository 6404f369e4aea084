import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@muster/client'
import type { Project } from '@muster/contract'
import { useState } from 'react'

import { client } from '#api/client.ts'
import { invalidate } from '#api/query-client.ts'
import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { useFormSubmit } from '#ui/form-submit.ts'
import { ProblemNotice, withFieldErrors } from '#ui/problem.tsx'
import { ProjectPicker } from '#ui/project-picker.tsx'
import { showSuccess } from '#ui/toast.tsx'

import { SubmitButton } from './submit-button.tsx'
import { suggestCode } from './suggest-code.ts'

interface Props {
  /** Whether there are projects to choose from. */
  readonly hasProjects: boolean
  readonly onProject: (projectId: string | null) => void
}

/** Selects an existing project or creates one. */
export function ProjectStep({ hasProjects, onProject }: Props) {
  const [isNew, setNew] = useState(!hasProjects)
  if (isNew) return <NewProject onProject={onProject} />
  return (
    <Stack align="flex-start">
      <Text size="sm">{t('start.project.choose.about')}</Text>
      <ProjectPicker
        label={t('start.project.choose')}
        value={null}
        onChange={onProject}
        w="100%"
        maw={420}
      />
      <Button variant="default" onClick={() => setNew(true)}>
        {t('start.project.new')}
      </Button>
    </Stack>
  )
}

function NewProject({ onProject }: Pick<Props, 'onProject'>) {
  const reason = useMissingScopeReason('projects.manage')
  const form = useForm({ initialValues: { name: '', code: '' } })
  // The code follows the name until the user edits the code.
  const [isCodeEdited, setCodeEdited] = useState(false)
  const { name, code } = form.values
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    if (reason !== null) return
    const body = { name: name.trim(), code }
    const created = await withFieldErrors(form, client.projects.create({ body }))
    showSuccess(t('start.project.opened', { code: created.code }))
    onProject(created.id)
    await invalidate('projects')
  })
  const isTaken = error instanceof ProblemError && error.code === 'project_code_taken'
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('start.project.about')}</Text>
        {error !== null && !isTaken && <ProblemNotice error={error} />}
        <TextInput
          label={t('start.project.name')}
          maxLength={200}
          {...form.getInputProps('name')}
          onChange={({ currentTarget: { value } }) =>
            form.setValues({ name: value, ...(!isCodeEdited && { code: suggestCode(value) }) })
          }
        />
        <TextInput
          label={t('start.project.code')}
          description={t('start.project.code.about', { code: code || 'DAM' })}
          maxLength={10}
          maw={240}
          {...form.getInputProps('code')}
          error={isTaken ? t('start.code-taken') : form.errors['code']}
          onChange={({ currentTarget: { value } }) => {
            setCodeEdited(value !== '')
            form.setFieldValue('code', value.toUpperCase())
          }}
        />
        <SubmitButton reason={reason} isBusy={isBusy}>
          {t('start.project.submit')}
        </SubmitButton>
      </Stack>
    </form>
  )
}

interface ChosenProps {
  readonly project: Project
  readonly onProject: (projectId: string | null) => void
}

export function ChosenProject({ project, onProject }: ChosenProps) {
  return (
    <Group>
      <Text className="wrap">
        {project.code} {project.name}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={() => onProject(null)}>
        {t('start.project.other')}
      </Button>
    </Group>
  )
}
