import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import type { PlannedHandover } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useMissingScopeReason } from '#data/whoami.ts'
import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import { useKeptState } from '#kit/form/draft.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { daysFromToday } from '#text/dates.ts'
import { formatNearDay } from '#text/due.ts'
import { t } from '#text/index.ts'

import { departPerson } from './actions.ts'
import { assignmentsSentence, useAssignments } from './assignments.ts'
import { planToChangeQuery } from './departures.ts'
import type { PersonDialogProps } from './dialog-props.ts'
import { statusFields } from './fields.ts'
import { HandoverLines } from './handover-lines.tsx'
import { useSuccessors } from './use-successors.ts'

type WorkOption = 'hand_over' | 'keep' | 'fail'
type When = 'today' | 'later'

/** A departure that is planned is changed with the same form. */
export function DepartDialog(props: PersonDialogProps) {
  const { data: plan, isPending } = useQuery(planToChangeQuery(props.seen.id))
  return isPending ? null : <DepartForm {...props} plan={plan ?? null} />
}

interface FormProps extends PersonDialogProps {
  readonly plan: PlannedHandover | null
}

/** The values of the form, and the request that it sends. */
function useDepartForm({ seen, plan, onResult }: FormProps) {
  const assignments = useAssignments(seen.id)
  const handOverReason = useMissingScopeReason('projects.manage')
  const successors = useSuccessors(assignments.items, successorIn(plan))
  const [error, setError] = useState<string | null>(null)
  const [option, setOption] = useState<WorkOption>(
    plan === null && handOverReason !== null ? 'keep' : optionOf(plan),
  )
  const [when, setWhen] = useKeptState<When>('when', plan === null ? 'today' : 'later')
  const form = useKeptForm('people/depart', {
    initialValues: {
      status_reason: plan?.status_reason ?? '',
      departs_on: plan?.departs_on ?? daysFromToday(7),
    },
  })
  const isHandedOver = option === 'hand_over' && assignments.items.length > 0
  const isPlanned = when === 'later'
  const submit = async () => {
    const { status_reason, departs_on } = form.getValues()
    const isMissing = isHandedOver && !successors.isComplete
    setError(isMissing ? t('handover.incomplete') : null)
    if (isMissing) return false
    const departure = departPerson(seen, {
      departs_on: isPlanned ? departs_on : null,
      lines: isHandedOver ? successors.lines : [],
      if_assigned: ifAssigned(option, isPlanned),
      status_reason: status_reason.trim() || null,
      onResult,
    })
    return successors.send(withFieldErrors(form, departure))
  }
  const day = formatNearDay(form.values.departs_on || daysFromToday(7))
  return {
    assignments,
    handOverReason,
    successors,
    error,
    form,
    submit,
    submitText: isPlanned ? t('person.depart.on', { day }) : t('person.depart'),
    when: { when, onChange: setWhen },
    work: { option, onChange: setOption },
    isHandedOver,
    isPlanned,
  }
}

/** Asks when, why, and what to do with the assigned work. */
function DepartForm(props: FormProps) {
  const { seen, onClose } = props
  const { assignments, form, successors, ...state } = useDepartForm(props)
  return (
    <FormDialog
      title={t('person.depart.title', { name: seen.name })}
      submit={state.submitText}
      width={680}
      isDanger
      onClose={onClose}
      onSubmit={state.submit}
    >
      <Text size="sm">{t('person.depart.about')}</Text>
      <WhenField {...state.when} />
      {state.isPlanned && (
        <TextInput
          type="date"
          required
          label={t('word.last-day')}
          description={t('person.depart.last-day.about')}
          min={daysFromToday(1)}
          maw={260}
          {...form.getInputProps('departs_on')}
        />
      )}
      <FieldInput form={form} field={statusFields.status_reason} isFirst minRows={2} />
      <Text size="sm" fw={600} className="wrap">
        {assignments.hiddenReason ?? assignmentsSentence(seen.name, assignments)}
      </Text>
      {assignments.hasMore && <Text size="sm">{t('person.assigned.more.about')}</Text>}
      {!assignments.isEmpty && <WorkOptions {...state.work} reason={state.handOverReason} />}
      {state.isHandedOver && <HandoverLines successors={successors} error={state.error} />}
    </FormDialog>
  )
}

const optionOf = (plan: PlannedHandover | null): WorkOption =>
  plan === null || plan.handover !== null ? 'hand_over' : plan.if_assigned

/** The successor of an item in the plan. */
const successorIn = (plan: PlannedHandover | null) => (id: string) =>
  plan?.handover?.items?.find((item) => item.id === id)?.to_user_id ?? plan?.handover?.to_user_id

/**
 * `fail` refuses a departure at once if new work was assigned during the handover. A planned one
 * must not fail for that: the person could sign in until someone looks.
 */
function ifAssigned(option: WorkOption, isPlanned: boolean): 'keep' | 'fail' {
  if (option === 'hand_over') return isPlanned ? 'keep' : 'fail'
  return option
}

interface WhenProps {
  readonly when: When
  readonly onChange: (when: When) => void
}

const WhenField = ({ when, onChange }: WhenProps) => (
  <Radio.Group label={t('person.depart.when')} value={when} onChange={onChange}>
    <Group gap="lg" mt="xs">
      <Radio value="today" label={t('person.depart.today')} />
      <Radio value="later" label={t('person.depart.later')} />
    </Group>
  </Radio.Group>
)

interface WorkOptionsProps {
  readonly option: WorkOption
  readonly onChange: (option: WorkOption) => void
  /** Why work cannot be reassigned; null if it can. */
  readonly reason: string | null
}

function WorkOptions({ option, onChange, reason }: WorkOptionsProps) {
  return (
    <Radio.Group label={t('person.assigned')} value={option} onChange={onChange}>
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
