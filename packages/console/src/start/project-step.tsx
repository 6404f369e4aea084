import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@muster/client'
import type { Project } from '@muster/contract'
import { useState } from 'react'

import { refresh } from '#api/cache.ts'
import { client } from '#api/client.ts'
import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ProblemNotice, showFlaws } from '#ui/problem.tsx'
import { ProjectPicker } from '#ui/project-picker.tsx'
import { useSending } from '#ui/sending.ts'
import { sayDone } from '#ui/toast.tsx'

import { codeFor } from './code.ts'
import { Submit } from './submit.tsx'

interface Props {
  /** Whether there are projects to choose from. */
  readonly isAny: boolean
  readonly onProject: (projectId: string | null) => void
}

/** A project to go on with: one that is there, or a new one. */
export function ProjectStep({ isAny, onProject }: Props) {
  const [isNew, setNew] = useState(!isAny)
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
  const reason = useReasonAgainst('projects.manage')
  const form = useForm({ initialValues: { name: '', code: '' } })
  // The code follows the name for as long as nobody has written one.
  const [isOwn, setOwn] = useState(false)
  const { name, code } = form.values
  const { error, isBusy, send } = useSending(async () => {
    if (reason !== null) return
    const body = { name: name.trim(), code }
    const made = await showFlaws(form, client.projects.create({ body }))
    sayDone(t('start.project.opened', { code: made.code }))
    onProject(made.id)
    await refresh('projects')
  })
  const isTaken = error instanceof ProblemError && error.code === 'project_code_taken'
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text size="sm">{t('start.project.about')}</Text>
        {error !== null && !isTaken && <ProblemNotice error={error} />}
        <TextInput
          label={t('start.project.name')}
          maxLength={200}
          {...form.getInputProps('name')}
          onChange={({ currentTarget: { value } }) =>
            form.setValues({ name: value, ...(!isOwn && { code: codeFor(value) }) })
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
            setOwn(value !== '')
            form.setFieldValue('code', value.toUpperCase())
          }}
        />
        <Submit reason={reason} isBusy={isBusy}>
          {t('start.project.submit')}
        </Submit>
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
