import { Button, Modal } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect } from 'react'

import { deferSignOut } from '#data/query-client.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { dropTyping, keepTyping } from '#kit/keyboard/keep-typing.ts'
import { Keys } from '#kit/keyboard/keys.tsx'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'
import { t } from '#text/index.ts'

import { useDiscardGuard } from './discard-guard.ts'
import { useFormSubmit } from './form-submit.ts'

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
  /** A second button that saves and goes on, such as to the next record. Its keys: Alt Enter. */
  readonly next?: { readonly submit: string; readonly onNext: () => Promise<void> }
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

/**
 * Ctrl or ⌘ with Enter submits from any field, such as a text with several lines. Alt with Enter
 * presses the button that goes on, if there is one.
 */
function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter') return
  const next = event.altKey ? event.currentTarget.querySelector<HTMLElement>(nextButton) : null
  if (next === null && !event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  event.currentTarget.requestSubmit(next)
}

const nextButton = 'button[name=next]'

/** Whether the button that goes on has submitted the form. */
const isNext = ({ nativeEvent }: FormEvent) =>
  nativeEvent instanceof SubmitEvent && nativeEvent.submitter?.matches(nextButton) === true

/** Saves and goes on. What is typed meanwhile is for the next form. */
async function withTypingKept(
  save: () => Promise<unknown>,
  goOn: () => Promise<void>,
): Promise<void> {
  keepTyping()
  let isSaved = false
  try {
    isSaved = (await save()) !== false
  } finally {
    if (!isSaved) dropTyping()
  }
  if (isSaved) await goOn()
}

/**
 * A form in a dialog that stays open until the request succeeds. Escape, the close button and a
 * click outside ask before they discard input; Cancel does not.
 */
export function FormDialog(props: Props) {
  const { title, submit, onClose, onSubmit, children, isDanger = false, isWide = false } = props
  useRestoreFocus()
  useEffect(() => deferSignOut({ asks: true }), [])
  const { error, isBusy, handleSubmit } = useFormSubmit(async (event) => {
    if (props.next && isNext(event)) await withTypingKept(onSubmit, props.next.onNext)
    else if ((await onSubmit()) !== false) onClose()
  })
  const { setForm, handlers, close, isAsking, keep } = useDiscardGuard(onClose)
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size={props.width ?? (isWide ? 600 : 480)}
      classNames={{ content: classes.content, body: classes.body }}
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
              variant={props.next ? 'default' : 'filled'}
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
            {props.next && <NextButton isBusy={isBusy}>{props.next.submit}</NextButton>}
          </div>
        )}
      </form>
    </Modal>
  )
}

interface NextProps {
  readonly isBusy: boolean
  readonly children: ReactNode
}

const NextButton = ({ isBusy, children }: NextProps) => (
  <Button
    type="submit"
    name="next"
    variant="filled"
    disabled={isBusy}
    rightSection={
      <span aria-hidden>
        <Keys keys="alt+Enter" />
      </span>
    }
  >
    {children}
  </Button>
)

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
