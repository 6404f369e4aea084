import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import type { NewSecret } from '@muster/contract'
import { useBlocker } from '@tanstack/react-router'

import { IconAlertTriangle } from '#kit/icons/index.tsx'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'
import { CopyableText } from '#kit/parts/copyable-text.tsx'
import { t } from '#text/index.ts'

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
export function SecretDialog({ created, onClose }: Props) {
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
