import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

import { t } from '#text/index.ts'

import { useFocusBack } from './focus.ts'
import { ProblemNotice } from './problem.tsx'
import { useSending } from './sending.ts'

interface Props {
  readonly title: string
  readonly submit: string
  readonly onClose: () => void
  /**
   * Done when it resolves: the dialog then closes, unless it is false because something is still
   * missing. What it throws is shown.
   */
  readonly onSubmit: () => Promise<unknown>
  readonly children: ReactNode
  readonly isDanger?: boolean
  /** For a form with more to choose from than most. */
  readonly isWide?: boolean
}

/** Whoever sends a long form is at its end, where they would not see what is said at its top. */
const bringIntoSight = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'nearest' })

/** A dialog that asks for what an action needs, and stays open until it is done. */
export function FormDialog(props: Props) {
  const { title, submit, onClose, onSubmit, children, isDanger = false, isWide = false } = props
  useFocusBack()
  const { error, isBusy, send } = useSending(async () => {
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
      <form onSubmit={send} noValidate>
        <Stack>
          {error !== null && (
            <div ref={bringIntoSight}>
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
