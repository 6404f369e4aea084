import { Radio, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'

import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete } from '#ui/needed.ts'
import { PersonPicker } from '#ui/person-picker.tsx'
import { showFlaws } from '#ui/problem.tsx'

import { departPerson } from './actions.ts'
import { heldSentence, useHeld } from './held.ts'
import type { DialogProps } from './opener.ts'
import { ReasonField } from './status-dialogs.tsx'

type Way = 'hand_over' | 'keep' | 'fail'

interface Departing {
  way: Way
  to_user_id: string
  status_reason: string
}

/** Someone leaves: what they hold is shown, and what becomes of it is chosen. */
export function DepartDialog({ person, onClose, onDone }: DialogProps) {
  const held = useHeld(person.id)
  const mayNotHandOver = useReasonAgainst('projects.manage')
  const form = useForm<Departing>({
    initialValues: {
      way: mayNotHandOver === null ? 'hand_over' : 'keep',
      to_user_id: '',
      status_reason: '',
    },
    validate: {
      to_user_id: (id, { way }) =>
        way === 'hand_over' && !held.isNothing && id === ''
          ? t('person.reassign.to.missing')
          : null,
    },
  })
  const submit = async () => {
    if (!isComplete(form)) return false
    const { way, to_user_id, status_reason } = form.getValues()
    const isHandedOver = way === 'hand_over' && !held.isNothing
    return showFlaws(
      form,
      departPerson(person, {
        heir: isHandedOver ? to_user_id : null,
        // What comes into their hands while all else is handed over is not to be overlooked.
        if_assigned: way === 'keep' ? 'keep' : 'fail',
        status_reason: status_reason.trim() || null,
        onDone,
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
        {held.unseen ?? heldSentence(person.name, held)}
      </Text>
      {held.isMore && <Text size="sm">{t('person.holds.more.about')}</Text>}
      {!held.isNothing && (
        <Ways
          way={form.values.way}
          onChange={(way) => form.setFieldValue('way', way)}
          reason={mayNotHandOver}
        />
      )}
      {!held.isNothing && form.values.way === 'hand_over' && (
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

interface WaysProps {
  readonly way: Way
  readonly onChange: (way: Way) => void
  /** Why nothing can be handed over; null when it can. */
  readonly reason: string | null
}

function Ways({ way, onChange, reason }: WaysProps) {
  return (
    <Radio.Group label={t('person.depart.work')} value={way} onChange={onChange}>
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
