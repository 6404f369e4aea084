import { Button, Code, Group, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

import { t } from '#text/index.ts'

import classes from './copyable-text.module.css'

interface Props {
  readonly name: string
  readonly text: string
  /** Whether the button gets the focus when its dialog opens. */
  readonly isFirst?: boolean
}

/** Copies a text. */
export function CopyButton({ name, text, isFirst = false }: Props) {
  const { copy, copied, error } = useClipboard({ timeout: 3000 })
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        flex="none"
        onClick={() => copy(text)}
        {...(isFirst && { 'data-autofocus': true })}
        {...(!copied && { 'aria-label': t('copy.of', { name }) })}
      >
        {copied ? t('copy.done') : t('copy')}
      </Button>
      {error && (
        <Text size="sm" c="red" role="alert" mt={4}>
          {t('copy.failed')}
        </Text>
      )}
    </>
  )
}

/** A text with a button that copies it. */
export function CopyableText({ name, text, isFirst = false }: Props) {
  return (
    <section aria-label={name}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <CopyButton name={name} text={text} isFirst={isFirst} />
      </Group>
      <Code block className={classes['text']} tabIndex={0}>
        {text}
      </Code>
    </section>
  )
}
