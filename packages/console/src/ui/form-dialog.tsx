import { Button, Modal } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'

import { t } from '#text/index.ts'

import { useDiscardGuard } from './discard-guard.ts'
import { useFormSubmit } from './form-submit.ts'
import { Keys } from './keys.tsx'
import { ProblemNotice } from './problem.tsx'
import { useRestoreFocus } from './restore-focus.ts'

import classes from './form-dialog.module.css'

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
  /** The record that the dialog is about, below the title. */
  readonly about?: ReactNode
  /** Shown at the left of the foot. */
  readonly help?: ReactNode
  readonly isDanger?: boolean
  /** For long forms. */
  readonly isWide?: boolean
  /** The width in pixels, if it is another. */
  readonly width?: number
}

/** The submit button of a long form is at its end, where a notice at the top is out of view. */
const scrollToNotice = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'nearest' })

/** Ctrl or ⌘ with Enter submits from any field, such as a text with several lines. */
function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

/**
 * A form in a dialog that stays open until the request succeeds. Escape, the close button and a
 * click outside ask before they discard input; Cancel does not.
 */
export function FormDialog(props: Props) {
  const { title, submit, onClose, onSubmit, children, isDanger = false, isWide = false } = props
  useRestoreFocus()
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    if ((await onSubmit()) !== false) onClose()
  })
  const { setForm, handlers, close, isAsking, keep } = useDiscardGuard(onClose)
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size={props.width ?? (isWide ? 600 : 480)}
      classNames={{ content: classes.content, body: classes.body }}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form
        ref={setForm}
        {...handlers}
        className={classes.form}
        onSubmit={handleSubmit}
        onKeyDown={submitByKey}
        noValidate
      >
        {props.about !== undefined && <div className={classes.about}>{props.about}</div>}
        <div className={classes.fields}>
          {error !== null && (
            <div ref={scrollToNotice}>
              <ProblemNotice error={error} />
            </div>
          )}
          {children}
        </div>
        {isAsking ? (
          <DiscardQuestion onKeep={keep} onDiscard={onClose} />
        ) : (
          <div className={classes.foot}>
            <span className={classes.help}>{props.help}</span>
            <Button onClick={onClose}>{t('dialog.cancel')}</Button>
            <Button
              type="submit"
              variant="filled"
              loading={isBusy}
              rightSection={
                <span aria-hidden>
                  <Keys keys="mod+Enter" />
                </span>
              }
              {...(isDanger && { color: 'red' })}
            >
              {submit}
            </Button>
          </div>
        )}
      </form>
    </Modal>
  )
}

interface QuestionProps {
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

const focus = (element: HTMLElement | null) => element?.focus()

/** Takes the place of the foot, so that the input stays in view. */
function DiscardQuestion({ onKeep, onDiscard }: QuestionProps) {
  return (
    <div role="alertdialog" aria-label={t('dialog.discard')} className={classes.foot}>
      <span className={classes.question}>{t('dialog.discard')}</span>
      <Button ref={focus} onClick={onKeep}>
        {t('dialog.discard.keep')}
      </Button>
      <Button variant="filled" color="red" onClick={onDiscard}>
        {t('dialog.discard.confirm')}
      </Button>
    </div>
  )
}
