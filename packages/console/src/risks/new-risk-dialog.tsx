import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Project, Risk } from '@muster/contract'

import { t } from '#text/index.ts'
import { choices } from '#text/labels.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { PersonPicker } from '#ui/person-picker.tsx'
import { withFieldErrors } from '#ui/problem.tsx'
import { ProjectPicker } from '#ui/project-picker.tsx'
import { required, validateForm } from '#ui/validation.ts'

import { createRisk } from './actions.ts'
import { RatingFields } from './rating-fields.tsx'

interface Props {
  readonly onClose: () => void
  /** The project of the risk; if omitted, the dialog asks for it. */
  readonly project?: Pick<Project, 'id'>
}

const initialValues = {
  project_id: '',
  title: '',
  likelihood: 3,
  impact: 3,
  owner_user_id: '',
  category: 'other' as Risk['category'],
  response: 'undecided' as Risk['response'],
  description: '',
}

/** Accepting is an operation of its own, because it needs an accountable person. */
const responses = choices('riskResponse').filter(({ value }) => value !== 'accept')

export function NewRiskDialog({ onClose, project }: Props) {
  const form = useForm({
    initialValues,
    validate: {
      project_id: (id) => (id === '' && project === undefined ? t('risk.new.which') : null),
      title: required,
    },
  })
  const submit = async () => {
    if (!validateForm(form)) return false
    const { project_id, ...rest } = form.getValues()
    const body = { ...rest, owner_user_id: rest.owner_user_id || null }
    return withFieldErrors(
      form,
      createRisk(project?.id ?? project_id, { ...body, description: rest.description || null }),
    )
  }
  return (
    <FormDialog
      title={t('risk.new.title')}
      submit={t('risk.new.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('risk.new.about')}</Text>
      {project === undefined && (
        <ProjectPicker
          label={t('risk.field.project')}
          required
          data-autofocus
          openOnFocus={false}
          value={form.values.project_id || null}
          onChange={(id) => form.setFieldValue('project_id', id ?? '')}
          error={form.errors['project_id']}
        />
      )}
      <TextInput
        label={t('risk.field.title')}
        maxLength={200}
        required
        {...(project !== undefined && { 'data-autofocus': true })}
        {...form.getInputProps('title')}
      />
      <RatingFields
        likelihood={form.getInputProps('likelihood')}
        impact={form.getInputProps('impact')}
      />
      <PersonPicker
        label={t('risk.field.owner')}
        value={form.values.owner_user_id || null}
        onChange={(id) => form.setFieldValue('owner_user_id', id ?? '')}
        error={form.errors['owner_user_id']}
      />
      <NativeSelect
        label={t('risk.field.category')}
        data={choices('riskCategory')}
        {...form.getInputProps('category')}
      />
      <NativeSelect
        label={t('risk.field.response')}
        data={responses}
        {...form.getInputProps('response')}
      />
      <Textarea
        label={t('risk.field.description')}
        description={t('risk.field.description.about')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('description')}
      />
    </FormDialog>
  )
}
