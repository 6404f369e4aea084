import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import type { NewSecret } from '@muster/contract'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'

import { deferSignOut } from '#data/query-client.ts'
import { IconAlertTriangle } from '#kit/icons/index.tsx'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'
import { CopyableText } from '#kit/parts/copyable-text.tsx'
import { t } from '#text/index.ts'

interface FlowProps {
  readonly onClose: () => void
  /** Renders the dialog that creates the key. */
  readonly children: (onCreated: (created: NewSecret) => void) => ReactNode
}

/**
 * First the dialog that creates a key, then the dialog with its secret. The secret is only in this
 * state and is discarded on close. Rotating one's own key may end the session, so sign-out is
 * deferred until the secret dialog closes.
 */
export function SecretFlow({ onClose, children }: FlowProps) {
  const [created, setCreated] = useState<NewSecret | null>(null)
  useEffect(() => deferSignOut({ asks: false }), [])
  return created === null ? (
    children(setCreated)
  ) : (
    <SecretDialog created={created} onClose={onClose} />
  )
}

interface Props {
  readonly created: NewSecret
  readonly onClose: () => void
}

const curlOf = (secret: string) =>
  `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/v1/whoami`

/**
 * Shows the secret once. Only the button closes the dialog: Escape, a click outside and navigation
 * are blocked.
 */
function SecretDialog({ created, onClose }: Props) {
  const { name, secret } = created
  useRestoreFocus()
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true })
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      title={t('key.secret.title', { name })}
      classNames={{ title: 'wrap' }}
      size="lg"
    >
      <Stack>
        <Alert
          role="note"
          variant="outline"
          color="orange"
          icon={<IconAlertTriangle />}
          styles={{ label: { color: 'var(--mantine-color-text)' } }}
          title={t('key.secret.once')}
        >
          {t('key.secret.once.about')}
        </Alert>
        <CopyableText name={t('key.secret')} text={secret} isFirst />
        <CopyableText name={t('key.secret.curl')} text={curlOf(secret)} />
        <Group justify="flex-end">
          <Button variant="filled" onClick={onClose}>
            {t('key.secret.kept')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
