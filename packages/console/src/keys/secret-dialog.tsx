import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { NewSecret } from '@muster/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'

import { t } from '#text/index.ts'
import { useFocusBack } from '#ui/focus.ts'

import classes from './secret.module.css'

interface Props {
  readonly made: NewSecret
  readonly onClose: () => void
}

const curlOf = (secret: string) =>
  `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/v1/whoami`

/**
 * The one time that the secret is seen. Nothing but its button closes the dialog: not Escape, not a
 * click beside it, and not the way back.
 */
export function SecretDialog({ made, onClose }: Props) {
  const { name, secret } = made
  useFocusBack()
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
        <Kept name={t('key.secret')} text={secret} isFirst />
        <Kept name={t('key.secret.curl')} text={curlOf(secret)} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('key.secret.kept')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface KeptProps {
  readonly name: string
  readonly text: string
  readonly isFirst?: boolean
}

function Kept({ name, text, isFirst = false }: KeptProps) {
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
