import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { PersonPicker } from '#ui/person-picker.tsx'
import { withFieldErrors } from '#ui/problem.tsx'
import { ProjectPicker } from '#ui/project-picker.tsx'

import { reassignWork } from './actions.ts'
import { assignmentsSentence, useAssignments } from './assignments.ts'
import type { DialogProps } from './use-dialog.ts'

/** Reassigns the work of a person: all of it, or that of one project. */
export function ReassignDialog({ person, onClose, onResult }: DialogProps) {
  const assignments = useAssignments(person.id)
  const form = useForm({
    initialValues: { to_user_id: '', project_id: '' },
    validate: { to_user_id: (id) => (id === '' ? t('person.reassign.to.missing') : null) },
  })
  const submit = async () => {
    if (form.validate().hasErrors) return false
    const { to_user_id, project_id } = form.getValues()
    const body = { to_user_id, ...(project_id !== '' && { project_id }) }
    const handover = await withFieldErrors(form, reassignWork(person, body))
    if (handover !== null) onResult({ handover, departure: null })
    return true
  }
  return (
    <FormDialog
      title={t('person.reassign.title', { name: person.name })}
      submit={t('person.reassign')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm" fw={600} className="wrap">
        {assignments.hiddenReason ?? assignmentsSentence(person.name, assignments)}
      </Text>
      <PersonPicker
        label={t('person.reassign.to')}
        required
        value={form.values.to_user_id || null}
        onChange={(id) => form.setFieldValue('to_user_id', id ?? '')}
        error={form.errors['to_user_id']}
      />
      <ProjectPicker
        label={t('person.reassign.project')}
        description={t('person.reassign.project.about')}
        value={form.values.project_id || null}
        onChange={(id) => form.setFieldValue('project_id', id ?? '')}
        error={form.errors['project_id']}
      />
    </FormDialog>
  )
}
