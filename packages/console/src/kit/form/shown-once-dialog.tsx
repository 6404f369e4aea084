import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { IconAlertTriangle } from '#kit/icons/index.tsx'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'

interface Props {
  readonly title: string
  /** States that this is shown once, and what to do with it. */
  readonly notice: { readonly title: string; readonly about: string }
  /** The label of the button that closes the dialog. */
  readonly submit: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * Shows a secret that the service does not show again. Only the button closes the dialog: Escape, a
 * click outside and navigation are blocked.
 */
export function ShownOnceDialog({ title, notice, submit, onClose, children }: Props) {
  useRestoreFocus()
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true })
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      title={title}
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
          title={notice.title}
        >
          {notice.about}
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button variant="filled" onClick={onClose}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
