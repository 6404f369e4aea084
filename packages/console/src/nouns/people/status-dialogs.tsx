import { Text, Textarea } from '@mantine/core'
import type { Person } from '@muster/contract'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'

import { rejoinPerson, resumePerson, suspendPerson } from './actions.ts'
import { ConflictingPerson } from './conflicting-person.tsx'
import type { DialogProps } from './dialog-props.ts'
import { useConflictingPerson } from './problems.ts'

type Change = 'suspend' | 'resume' | 'rejoin'

const requests = {
  suspend: suspendPerson,
  resume: resumePerson,
  rejoin: rejoinPerson,
} satisfies Record<
  Change,
  (person: Person, reason: { status_reason: string | null }) => Promise<unknown>
>

export const SuspendDialog = (props: DialogProps) => <StatusDialog change="suspend" {...props} />
export const ResumeDialog = (props: DialogProps) => <StatusDialog change="resume" {...props} />
export const RejoinDialog = (props: DialogProps) => <StatusDialog change="rejoin" {...props} />

function StatusDialog({ change, person, onClose }: DialogProps & { readonly change: Change }) {
  const form = useKeptForm('people/status', { initialValues: { status_reason: '' } })
  const { userId, trackConflict } = useConflictingPerson()
  const submit = () => {
    const status_reason = form.getValues().status_reason.trim() || null
    return trackConflict(withFieldErrors(form, requests[change](person, { status_reason })))
  }
  return (
    <FormDialog
      title={t(`person.${change}.title`, { name: person.name })}
      submit={t(`person.${change}`)}
      onClose={onClose}
      onSubmit={submit}
    >
      <ConflictingPerson userId={userId} />
      <Text size="sm">{t(`person.${change}.about`)}</Text>
      <ReasonField {...form.getInputProps('status_reason')} />
    </FormDialog>
  )
}

type FieldProps = ReturnType<
  ReturnType<typeof useKeptForm<{ status_reason: string }>>['getInputProps']
>

export function ReasonField(field: FieldProps) {
  return (
    <Textarea
      label={t('person.reason')}
      description={t('person.reason.about')}
      autosize
      minRows={2}
      maxLength={lengthOf('personnel', 'status_reason')}
      data-autofocus
      {...field}
    />
  )
}
