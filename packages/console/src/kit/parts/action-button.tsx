import { Button, type ButtonProps, Tooltip, VisuallyHidden } from '@mantine/core'
import { type MouseEvent, useId } from 'react'

import { isMissingScope } from '#data/whoami.ts'

import { useRecordActions } from './record-actions.tsx'

interface Props extends ButtonProps {
  readonly children: string
  readonly onClick: () => void
  /** Why the action is disabled; null if it is enabled. */
  readonly reason?: string | null
  /** Shows the button without the scope too: the page is about this one action. */
  readonly isKept?: boolean
  /** The letter that presses the button. */
  readonly 'data-shortcut'?: string
}

/**
 * A button that stays visible and focusable when it is disabled, and shows the reason. Without the
 * scope for it, it is not shown.
 */
export function ActionButton(allProps: Props) {
  const { children, onClick, reason = null, isKept = false, ...props } = allProps
  const described = useId()
  const keys = props['data-shortcut']
  useRecordActions(reason === null ? [{ name: children, keys, onClick }] : [])
  if (isMissingScope(reason) && !isKept) return null
  if (reason === null) {
    return (
      <Button onClick={onClick} {...props}>
        {children}
      </Button>
    )
  }
  const stay = (event: MouseEvent) => event.preventDefault()
  return (
    <>
      <Tooltip
        label={reason}
        multiline
        maw={320}
        events={{ hover: true, focus: true, touch: true }}
      >
        <Button {...props} data-disabled aria-disabled aria-describedby={described} onClick={stay}>
          {children}
        </Button>
      </Tooltip>
      <VisuallyHidden id={described}>{reason}</VisuallyHidden>
    </>
  )
}
