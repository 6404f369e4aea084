import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { NewSecret } from '@muster/contract'
import { useBlocker } from '@tanstack/react-router'

import { t } from '#text/index.ts'
import { IconAlertTriangle } from '#ui/icons/index.tsx'
import { useRestoreFocus } from '#ui/restore-focus.ts'

import classes from './secret.module.css'

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
          <Button onClick={onClose}>{t('key.secret.kept')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface CopyableTextProps {
  readonly name: string
  readonly text: string
  readonly isFirst?: boolean
}

function CopyableText({ name, text, isFirst = false }: CopyableTextProps) {
  const { copy, copied, error } = useClipboard({ timeout: 3000 })
  return (
    <section aria-label={name}>
      <Group justify="space-between" wrap="nowrap" gap="xs" mb={6}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={() => copy(text)}
          {...(isFirst && { 'data-autofocus': true })}
          {...(!copied && { 'aria-label': t('key.copy-of', { name }) })}
        >
          {copied ? t('key.copied') : t('key.copy')}
        </Button>
      </Group>
      <Code block className={classes['secret']} tabIndex={0}>
        {text}
      </Code>
      {error && (
        <Text size="sm" c="red" role="alert" mt={4}>
          {t('key.copy.failed')}
        </Text>
      )}
    </section>
  )
}
