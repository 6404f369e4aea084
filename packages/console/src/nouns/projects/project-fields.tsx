import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Project } from '@muster/contract'

import { PersonPicker } from '#kit/references/person-picker.tsx'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import type { CurrentStatus } from './actions.ts'

import classes from './projects.module.css'

/** Form values: an empty string stands for null. */
export interface ProjectValues {
  name: string
  status: CurrentStatus
  owner_user_id: string | null
  risk_appetite: string
  starts_on: string
  due_on: string
  description: string
}

export const emptyValues: ProjectValues = {
  name: '',
  status: 'active',
  owner_user_id: null,
  risk_appetite: '',
  starts_on: '',
  due_on: '',
  description: '',
}

export const toFormValues = (project: Project): ProjectValues => ({
  name: project.name,
  // An archived project cannot be edited, so this case does not occur.
  status: project.status === 'archived' ? 'active' : project.status,
  owner_user_id: project.owner_user_id,
  risk_appetite: String(project.risk_appetite ?? ''),
  starts_on: project.starts_on ?? '',
  due_on: project.due_on ?? '',
  description: project.description ?? '',
})

/** The request body: empty strings become null. */
export const toBody = ({ name, status, owner_user_id, ...rest }: ProjectValues) => ({
  name: name.trim(),
  status,
  owner_user_id,
  risk_appetite: rest.risk_appetite === '' ? null : Number(rest.risk_appetite),
  starts_on: rest.starts_on || null,
  due_on: rest.due_on || null,
  description: rest.description.trim() || null,
})

export const currentStatuses = choices('projectStatus').filter(({ value }) => value !== 'archived')

interface Props<V extends ProjectValues> {
  readonly form: UseFormReturnType<V>
}

/** The fields of the dialogs that create and edit a project, after the name. */
export function ProjectFields<V extends ProjectValues>({ form }: Props<V>) {
  const person = form.getInputProps('owner_user_id')
  return (
    <>
      <PersonPicker
        label={t('projects.owner')}
        value={form.getValues().owner_user_id}
        onChange={person.onChange}
        error={person.error}
      />
      <div className={classes.fields}>
        <NativeSelect
          label={t('projects.status')}
          data={currentStatuses}
          {...form.getInputProps('status')}
        />
        <TextInput
          type="number"
          label={t('project.appetite')}
          min={1}
          max={25}
          {...form.getInputProps('risk_appetite')}
          description={t('project.appetite.about')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </div>
      <div className={classes.fields}>
        <TextInput
          type="date"
          label={t('project.starts-on')}
          {...form.getInputProps('starts_on')}
        />
        <TextInput type="date" label={t('project.due-on')} {...form.getInputProps('due_on')} />
      </div>
      <Textarea
        label={t('project.description')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('description')}
      />
    </>
  )
}
