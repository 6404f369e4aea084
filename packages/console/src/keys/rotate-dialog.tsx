import { Alert, Radio, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { limits, NewSecret } from '@muster/contract'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { showFlaws } from '#ui/problem.tsx'

import { rotateKey } from './actions.ts'
import type { DialogProps } from './key-actions.tsx'
import { daysToSend, type Life, LifeField, lifeOf, lifeWithin } from './life-field.tsx'
import { useKeyDaysMax } from './queries.ts'
import { WithSecret } from './with-secret.tsx'

const usual: typeof limits.overlapSeconds.default = 3600
const longest: typeof limits.overlapSeconds.max = 604_800

/** For how long both keys work, in seconds. */
const overlaps = {
  0: 'key.overlap.none',
  [usual]: 'key.overlap.hour',
  86_400: 'key.overlap.day',
  [longest]: 'key.overlap.week',
} as const

/** A new key in place of an old one, which works on for a while. */
export function RotateDialog(props: DialogProps) {
  return (
    <WithSecret onClose={props.onClose}>
      {(onMade) => <RotateForm {...props} onMade={onMade} />}
    </WithSecret>
  )
}

interface Props extends DialogProps {
  readonly onMade: (made: NewSecret) => void
}

interface Values {
  readonly overlap: string
  readonly expires_in_days: Life | undefined
}

function RotateForm({ seen, onClose, onMade }: Props) {
  const { key: own } = useWhoami()
  // A key that rotates itself renews its life.
  const ownEnd = seen.id === own.id ? null : own.expires_at
  const bounds = { max: useKeyDaysMax(), ownEnd }
  const before = lifeOf(seen)
  const initialValues: Values = { overlap: String(usual), expires_in_days: undefined }
  const form = useForm({ initialValues })
  const { overlap, expires_in_days: chosen } = form.values
  const life = chosen === undefined ? lifeWithin(bounds, before) : chosen
  const submit = async () => {
    const body = { overlap_seconds: Number(overlap), ...daysToSend(life) }
    const made = await showFlaws(form, rotateKey(seen, body))
    if (made !== null) onMade(made)
    return made === null
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
      <LifeField
        label={t('key.life.new')}
        bounds={bounds}
        before={before}
        value={life}
        onChange={(wanted) => form.setFieldValue('expires_in_days', wanted)}
        error={form.errors['expires_in_days']}
      />
      {seen.id === own.id && (
        <Alert role="note" variant="outline" color="gray">
          {t(overlap === '0' ? 'key.rotate.own-now' : 'key.rotate.own')}
        </Alert>
      )}
    </FormDialog>
  )
}
