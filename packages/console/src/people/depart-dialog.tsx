import { Radio, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { withFieldErrors } from '#ui/problem.tsx'

import { departPerson } from './actions.ts'
import { assignmentsSentence, useAssignments } from './assignments.ts'
import type { DialogProps } from './dialog-props.ts'
import { HandoverLines } from './handover-lines.tsx'
import { ReasonField } from './status-dialogs.tsx'
import { useSuccessors } from './use-successors.ts'

type WorkOption = 'hand_over' | 'keep' | 'fail'

/** Shows the assigned work and asks what to do with it. */
export function DepartDialog({ person, onClose, onResult }: DialogProps) {
  const assignments = useAssignments(person.id)
  const handOverReason = useMissingScopeReason('projects.manage')
  const successors = useSuccessors(assignments.items)
  const [error, setError] = useState<string | null>(null)
  const [option, setOption] = useState<WorkOption>(handOverReason === null ? 'hand_over' : 'keep')
  const form = useForm({ initialValues: { status_reason: '' } })
  const isHandedOver = option === 'hand_over' && assignments.items.length > 0
  const submit = async () => {
    const isMissing = isHandedOver && !successors.isComplete
    setError(isMissing ? t('handover.incomplete') : null)
    if (isMissing) return false
    const departure = departPerson(person, {
      lines: isHandedOver ? successors.lines : [],
      // `fail` refuses the departure if new work was assigned during the handover.
      if_assigned: option === 'keep' ? 'keep' : 'fail',
      status_reason: form.getValues().status_reason.trim() || null,
      onResult,
    })
    return successors.send(withFieldErrors(form, departure))
  }
  return (
    <FormDialog
      title={t('person.depart.title', { name: person.name })}
      submit={t('person.depart')}
      width={680}
      isDanger
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('person.depart.about')}</Text>
      <ReasonField {...form.getInputProps('status_reason')} />
      <Text size="sm" fw={600} className="wrap">
        {assignments.hiddenReason ?? assignmentsSentence(person.name, assignments)}
      </Text>
      {assignments.hasMore && <Text size="sm">{t('person.assigned.more.about')}</Text>}
      {!assignments.isEmpty && (
        <WorkOptions option={option} onChange={setOption} reason={handOverReason} />
      )}
      {isHandedOver && <HandoverLines successors={successors} error={error} />}
    </FormDialog>
  )
}

interface WorkOptionsProps {
  readonly option: WorkOption
  readonly onChange: (option: WorkOption) => void
  /** Why work cannot be reassigned; null if it can. */
  readonly reason: string | null
}

function WorkOptions({ option, onChange, reason }: WorkOptionsProps) {
  return (
    <Radio.Group label={t('person.depart.work')} value={option} onChange={onChange}>
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
