import { SimpleGrid, TextInput } from '@mantine/core'
import type { NewProject, Project } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { projectAddress } from '#data/addresses.ts'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { type FieldForm, FieldInput } from '#kit/fields/field-input.tsx'
import { type FormValues, fromForm, lengthOf, toForm } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'

import { editProject, openProject } from './actions.ts'
import { currentStatuses, healthFields, projectFields } from './fields.ts'
import { suggestCode } from './suggest-code.ts'

interface ProjectValues extends FormValues<typeof projectFields> {
  risk_appetite: string
}

const toFormValues = (project: Partial<Project>): ProjectValues => ({
  ...toForm(projectFields, project),
  risk_appetite: String(project.risk_appetite ?? ''),
})

type ProjectBody = Pick<Required<NewProject>, keyof typeof projectFields>

const toBody = (values: ProjectValues) => ({
  ...fromForm<ProjectBody>(projectFields, values),
  name: values.name.trim(),
  description: values.description.trim() || null,
  risk_appetite: values.risk_appetite === '' ? null : Number(values.risk_appetite),
})

const newProject = { ...toFormValues({ status: 'active' }), code: '', health: '' }

/** Creates a project, then opens its page. */
export function NewProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  // The code follows the name until the user edits the code.
  const [isCodeEdited, setCodeEdited] = useState(false)
  return (
    <ActionDialog
      draft="projects/new-project"
      title={t('projects.new')}
      submit={t('project.new.submit')}
      initialValues={newProject}
      send={async ({ code, health, ...values }) => {
        const { id } = await openProject({
          ...toBody(values),
          code: code.trim().toUpperCase(),
          // The cast holds because only the values of the set are offered.
          health: (health || null) as Project['health'],
        })
        await navigate(projectAddress({ id }))
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={projectFields.name.label}
            maxLength={lengthOf('projects', 'name')}
            data-autofocus
            {...form.getInputProps('name')}
            onChange={({ currentTarget: { value } }) =>
              form.setValues({ name: value, ...(!isCodeEdited && { code: suggestCode(value) }) })
            }
          />
          <TextInput
            label={t('project.code')}
            description={t('project.code.about')}
            maxLength={lengthOf('projects', 'code')}
            autoCapitalize="characters"
            {...form.getInputProps('code')}
            onChange={({ currentTarget: { value } }) => {
              setCodeEdited(value !== '')
              form.setFieldValue('code', value.toUpperCase())
            }}
          />
          <ProjectInputs form={form} />
          <FieldInput
            form={form}
            field={healthFields.health}
            offered={[{ value: '', label: t('word.not-set') }, ...choices('projectHealth')]}
          />
        </>
      )}
    </ActionDialog>
  )
}

export const EditProjectDialog = ({ seen, onClose }: DialogProps<Project>) => (
  <ActionDialog
    draft="projects/edit-project"
    title={t('project.edit.title', { code: seen.code })}
    submit={t('word.save')}
    initialValues={toFormValues(seen)}
    send={(values) => editProject(seen, toBody(values))}
    onClose={onClose}
  >
    {(form) => (
      <>
        <FieldInput form={form} field={projectFields.name} />
        <ProjectInputs form={form} />
      </>
    )}
  </ActionDialog>
)

/** The fields of both dialogs, after the name. */
const ProjectInputs = ({ form }: { readonly form: FieldForm }) => (
  <>
    <FieldInput form={form} field={projectFields.owner_user_id} />
    <SimpleGrid minColWidth={150} autoFlow="auto-fit">
      <FieldInput form={form} field={projectFields.status} offered={currentStatuses} />
      <TextInput
        type="number"
        label={t('project.appetite')}
        min={1}
        max={25}
        {...form.getInputProps('risk_appetite')}
        description={t('project.appetite.about')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </SimpleGrid>
    <SimpleGrid minColWidth={150} autoFlow="auto-fit">
      <FieldInput form={form} field={projectFields.starts_on} />
      <FieldInput form={form} field={projectFields.due_on} />
    </SimpleGrid>
    <FieldInput form={form} field={projectFields.description} />
  </>
)
