import { Alert, Radio, Stack, Text } from '@mantine/core'
import type { limits, NewSecret } from '@muster/contract'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'

import { rotateKey } from './actions.ts'
import { useGrantor } from './grantor.ts'
import type { KeyDialogProps } from './key-dialogs.tsx'
import {
  allowedLifetime,
  type Lifetime,
  lifetimeBody,
  lifetimeDays,
  LifetimeField,
} from './lifetime-field.tsx'
import { useKeyDaysMax } from './queries.ts'
import { SecretFlow } from './secret-flow.tsx'

const overlapSecondsDefault: typeof limits.overlapSeconds.default = 3600
const overlapSecondsMax: typeof limits.overlapSeconds.max = 604_800

/** The texts by overlap in seconds, during which both keys work. */
const overlaps = {
  0: 'key.overlap.none',
  [overlapSecondsDefault]: 'key.overlap.hour',
  86_400: 'key.overlap.day',
  [overlapSecondsMax]: 'key.overlap.week',
} as const

/** Creates a successor. The old key works until the overlap ends. */
export function RotateDialog(props: KeyDialogProps) {
  return (
    <SecretFlow onClose={props.onClose}>
      {(onCreated) => <RotateForm {...props} onCreated={onCreated} />}
    </SecretFlow>
  )
}

interface Props extends KeyDialogProps {
  readonly onCreated: (created: NewSecret) => void
}

interface Values {
  readonly overlap: string
  readonly expires_in_days: Lifetime | undefined
}

function RotateForm({ seen, onClose, onCreated }: Props) {
  const own = useGrantor()
  // A key that rotates itself is not limited by its own expiry.
  const ownEnd = seen.id === own.key?.id ? null : own.expires_at
  const bounds = { max: useKeyDaysMax(), ownEnd }
  const before = lifetimeDays(seen)
  const initialValues: Values = {
    overlap: String(overlapSecondsDefault),
    expires_in_days: undefined,
  }
  const form = useKeptForm('keys/rotate', { initialValues })
  const { overlap, expires_in_days: chosen } = form.values
  const lifetime = chosen === undefined ? allowedLifetime(bounds, before) : chosen
  const submit = async () => {
    // The service keeps a lifetime exactly. That in days is rounded, and may be too long.
    const wanted = lifetime === before ? 'own' : lifetime
    const body = { overlap_seconds: Number(overlap), ...lifetimeBody(wanted) }
    const created = await withFieldErrors(form, rotateKey(seen, body))
    if (created !== null) onCreated(created)
    return created === null
  }
  return (
    <FormDialog
      title={t('key.rotate.title', { name: seen.name })}
      submit={t('key.rotate.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('key.rotate.about')}</Text>
      <Radio.Group
        label={t('key.overlap')}
        description={t('key.overlap.about')}
        {...form.getInputProps('overlap')}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(overlaps).map(([seconds, text]) => (
            <Radio key={seconds} value={seconds} label={t(text)} />
          ))}
        </Stack>
      </Radio.Group>
      <LifetimeField
        label={t('key.life.new')}
        bounds={bounds}
        before={before}
        value={lifetime}
        onChange={(wanted) => form.setFieldValue('expires_in_days', wanted)}
        error={form.errors['expires_in_days']}
      />
      {seen.id === own.key?.id && (
        <Alert role="note" variant="outline" color="gray">
          {t(overlap === '0' ? 'key.rotate.own-now' : 'key.rotate.own')}
        </Alert>
      )}
    </FormDialog>
  )
}
