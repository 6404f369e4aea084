import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

import { t } from '#text/index.ts'

import { useFormSubmit } from './form-submit.ts'
import { ProblemNotice } from './problem.tsx'
import { useRestoreFocus } from './restore-focus.ts'

interface Props {
  readonly title: string
  readonly submit: string
  readonly onClose: () => void
  /**
   * The dialog closes when the promise resolves, unless it resolves to false (for an invalid form).
   * It shows the error of a rejected promise.
   */
  readonly onSubmit: () => Promise<unknown>
  readonly children: ReactNode
  readonly isDanger?: boolean
  /** For long forms. */
  readonly isWide?: boolean
}

/** The submit button of a long form is at its end, where a notice at the top is out of view. */
const scrollToNotice = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'nearest' })

/** A form in a dialog that stays open until the request succeeds. */
export function FormDialog(props: Props) {
  const { title, submit, onClose, onSubmit, children, isDanger = false, isWide = false } = props
  useRestoreFocus()
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    if ((await onSubmit()) !== false) onClose()
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={isWide ? 'lg' : 'md'}
      classNames={{ title: 'wrap' }}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack>
          {error !== null && (
            <div ref={scrollToNotice}>
              <ProblemNotice error={error} />
            </div>
          )}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('dialog.cancel')}
            </Button>
            <Button type="submit" loading={isBusy} {...(isDanger && { color: 'red' })}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
