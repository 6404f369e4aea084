import { Button, type ButtonProps, Tooltip, VisuallyHidden } from '@mantine/core'
import { type MouseEvent, type ReactNode, useId } from 'react'

interface Props extends ButtonProps {
  readonly children: ReactNode
  readonly onClick: () => void
  /** Why the action is disabled; null if it is enabled. */
  readonly reason?: string | null
}

/** A button that stays visible and focusable when it is disabled, and shows the reason. */
export function ActionButton({ children, onClick, reason = null, ...props }: Props) {
  const described = useId()
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
