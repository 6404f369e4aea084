import { Radio, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { PersonPicker } from '#ui/person-picker.tsx'
import { withFieldErrors } from '#ui/problem.tsx'
import { validateForm } from '#ui/validation.ts'

import { departPerson } from './actions.ts'
import { assignmentsSentence, useAssignments } from './assignments.ts'
import { ReasonField } from './status-dialogs.tsx'
import type { DialogProps } from './use-dialog.ts'

type WorkOption = 'hand_over' | 'keep' | 'fail'

interface DepartInput {
  workOption: WorkOption
  to_user_id: string
  status_reason: string
}

/** Shows the assigned work and asks what to do with it. */
export function DepartDialog({ person, onClose, onResult }: DialogProps) {
  const assignments = useAssignments(person.id)
  const handOverReason = useMissingScopeReason('projects.manage')
  const form = useForm<DepartInput>({
    initialValues: {
      workOption: handOverReason === null ? 'hand_over' : 'keep',
      to_user_id: '',
      status_reason: '',
    },
    validate: {
      to_user_id: (id, { workOption }) =>
        workOption === 'hand_over' && !assignments.isEmpty && id === ''
          ? t('person.reassign.to.missing')
          : null,
    },
  })
  const submit = async () => {
    if (!validateForm(form)) return false
    const { workOption, to_user_id, status_reason } = form.getValues()
    const isHandedOver = workOption === 'hand_over' && !assignments.isEmpty
    return withFieldErrors(
      form,
      departPerson(person, {
        successorId: isHandedOver ? to_user_id : null,
        // `fail` refuses the departure if new work was assigned during the handover.
        if_assigned: workOption === 'keep' ? 'keep' : 'fail',
        status_reason: status_reason.trim() || null,
        onResult,
      }),
    )
  }
  return (
    <FormDialog
      title={t('person.depart.title', { name: person.name })}
      submit={t('person.depart')}
      isDanger
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('person.depart.about')}</Text>
      <Text size="sm" fw={600} className="wrap">
        {assignments.hiddenReason ?? assignmentsSentence(person.name, assignments)}
      </Text>
      {assignments.hasMore && <Text size="sm">{t('person.assigned.more.about')}</Text>}
      {!assignments.isEmpty && (
        <WorkOptions
          workOption={form.values.workOption}
          onChange={(workOption) => form.setFieldValue('workOption', workOption)}
          reason={handOverReason}
        />
      )}
      {!assignments.isEmpty && form.values.workOption === 'hand_over' && (
        <PersonPicker
          label={t('person.reassign.to')}
          required
          value={form.values.to_user_id || null}
          onChange={(id) => form.setFieldValue('to_user_id', id ?? '')}
          error={form.errors['to_user_id']}
        />
      )}
      <ReasonField {...form.getInputProps('status_reason')} />
    </FormDialog>
  )
}

interface WorkOptionsProps {
  readonly workOption: WorkOption
  readonly onChange: (workOption: WorkOption) => void
  /** Why work cannot be reassigned; null if it can. */
  readonly reason: string | null
}

function WorkOptions({ workOption, onChange, reason }: WorkOptionsProps) {
  return (
    <Radio.Group label={t('person.depart.work')} value={workOption} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        <Radio
          value="hand_over"
          label={t('person.depart.hand-over')}
          disabled={reason !== null}
          description={reason}
        />
        <Radio
          value="keep"
          label={t('person.depart.keep')}
          description={t('person.depart.keep.about')}
        />
        <Radio
          value="fail"
          label={t('person.depart.fail')}
          description={t('person.depart.fail.about')}
        />
      </Stack>
    </Radio.Group>
  )
}
