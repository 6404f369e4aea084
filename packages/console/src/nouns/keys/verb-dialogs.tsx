import { Alert, Radio, Stack, Text } from '@mantine/core'
import type { Key, limits, NewSecret } from '@muster/contract'

import { useWhoami } from '#data/whoami.ts'
import { Line, Lines } from '#frame/settings-page.tsx'
import { useSignOut } from '#frame/sign-out.ts'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { t } from '#text/index.ts'

import { revokeKey, revokeOwnKey, rotateKey } from './actions.ts'
import { useGrantor } from './grantor.ts'
import { Hint } from './key-link.tsx'
import { ProjectCodes } from './key-projects.tsx'
import { LastUse } from './key-properties.tsx'
import {
  allowedLifetime,
  type Lifetime,
  lifetimeBody,
  lifetimeDays,
  LifetimeField,
} from './lifetime-field.tsx'
import { useKeyDaysMax } from './queries.ts'
import { mayText } from './scope-texts.ts'
import { SecretFlow } from './secret-dialog.tsx'

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
export const RotateDialog = (props: DialogProps<Key>) => (
  <SecretFlow onClose={props.onClose}>
    {(onCreated) => <RotateForm {...props} onCreated={onCreated} />}
  </SecretFlow>
)

interface RotateProps extends DialogProps<Key> {
  readonly onCreated: (created: NewSecret) => void
}

interface RotateValues {
  readonly overlap: string
  /** Undefined until the user chooses a lifetime. */
  readonly expires_in_days: Lifetime | undefined
}

function RotateForm({ seen, onClose, onCreated }: RotateProps) {
  const own = useGrantor()
  const isOwn = seen.id === own.key?.id
  // A key that rotates itself is not limited by its own expiry.
  const bounds = { max: useKeyDaysMax(), ownEnd: isOwn ? null : own.expires_at }
  const before = lifetimeDays(seen)
  const lifetimeOf = ({ expires_in_days: chosen }: RotateValues) =>
    chosen === undefined ? allowedLifetime(bounds, before) : chosen
  return (
    <ActionDialog<RotateValues>
      draft="keys/rotate"
      title={t('key.rotate.title', { name: seen.name })}
      submit={t('key.rotate.submit')}
      initialValues={{ overlap: String(overlapSecondsDefault), expires_in_days: undefined }}
      send={async (values) => {
        const lifetime = lifetimeOf(values)
        const created = await rotateKey(seen, {
          overlap_seconds: Number(values.overlap),
          // The service keeps a lifetime exactly. That in days is rounded, and may be too long.
          ...lifetimeBody(lifetime === before ? 'own' : lifetime),
        })
        if (created !== null) onCreated(created)
        return created === null
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
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
            {...form.getInputProps('expires_in_days')}
            value={lifetimeOf(form.values)}
          />
          {isOwn && (
            <Alert role="note" variant="outline" color="gray">
              {t(form.values.overlap === '0' ? 'key.rotate.own-now' : 'key.rotate.own')}
            </Alert>
          )}
        </>
      )}
    </ActionDialog>
  )
}

/** Cannot be undone, so the dialog shows which key it is and its last use. */
export function RevokeDialog({ seen, onClose }: DialogProps<Key>) {
  const isOwn = useWhoami().key?.id === seen.id
  const signOut = useSignOut()
  const submit = async () => {
    if (!isOwn) return revokeKey(seen)
    await revokeOwnKey()
    // Signing out unmounts the page and this dialog.
    await signOut()
    return false
  }
  return (
    <FormDialog
      title={t('key.revoke.title', { name: seen.name })}
      submit={t('key.revoke')}
      isDanger
      onClose={onClose}
      onSubmit={submit}
    >
      <Lines>
        <Line name={t('keys.hint')}>
          <Hint hint={seen.hint} />
        </Line>
        <Line name={t('word.last-used')}>
          <LastUse apiKey={seen} />
        </Line>
        <Line name={t('keys.may')}>{mayText(seen.scopes)}</Line>
        <Line name={t('keys.projects')}>
          <ProjectCodes project_ids={seen.project_ids} />
        </Line>
      </Lines>
      <Text size="sm">{t('key.revoke.about')}</Text>
      {isOwn && (
        <Text size="sm" fw={600}>
          {t('key.revoke.own')}
        </Text>
      )}
    </FormDialog>
  )
}
