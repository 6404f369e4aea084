import { Text, TextInput } from '@mantine/core'
import type { Person } from '@muster/contract'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { FieldInput } from '#kit/fields/field-input.tsx'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { t } from '#text/index.ts'

import { changeStatus, erasePerson, type StatusVerb } from './actions.ts'
import { useConflictingPerson } from './conflicting-person.tsx'
import { statusFields } from './fields.ts'

type Props = DialogProps<Person>

export const SuspendDialog = (props: Props) => <StatusDialog verb="suspend" {...props} />
export const ResumeDialog = (props: Props) => <StatusDialog verb="resume" {...props} />
export const RejoinDialog = (props: Props) => <StatusDialog verb="rejoin" {...props} />

function StatusDialog({ verb, seen, onClose }: Props & { readonly verb: StatusVerb }) {
  const { notice, trackConflict } = useConflictingPerson()
  return (
    <ActionDialog
      draft="people/status"
      title={t(`person.${verb}.title`, { name: seen.name })}
      submit={t(`person.${verb}`)}
      initialValues={{ status_reason: '' }}
      send={({ status_reason }) =>
        trackConflict(changeStatus(seen, verb, { status_reason: status_reason.trim() || null }))
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          {notice}
          <Text size="sm">{t(`person.${verb}.about`)}</Text>
          <FieldInput form={form} field={statusFields.status_reason} isFirst minRows={2} />
        </>
      )}
    </ActionDialog>
  )
}

/** Cannot be undone, so the user must type the person's name. */
export function EraseDialog({ seen, onClose }: Props) {
  const { name } = seen
  return (
    <ActionDialog
      draft="people/erase"
      title={t('person.erase.title', { name })}
      submit={t('person.erase')}
      isDanger
      initialValues={{ confirm: '' }}
      validate={({ confirm }) =>
        confirm.trim() === name.trim() ? {} : { confirm: t('person.erase.mismatch') }
      }
      send={() => erasePerson(seen)}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Text size="sm">{t('person.erase.about')}</Text>
          <Text size="sm" fw={600}>
            {t('person.erase.no-way-back')}
          </Text>
          <TextInput
            label={t('person.erase.confirm', { name })}
            className="wrap"
            autoComplete="off"
            required
            data-autofocus
            {...form.getInputProps('confirm')}
          />
        </>
      )}
    </ActionDialog>
  )
}
