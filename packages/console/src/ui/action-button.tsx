import { Button, type ButtonProps, Tooltip, VisuallyHidden } from '@mantine/core'
import { type MouseEvent, type ReactNode, useId } from 'react'

interface Props extends ButtonProps {
  readonly children: ReactNode
  readonly onClick: () => void
  /** Why it cannot be done now; null when it can. It is told, so that nobody has to guess. */
  readonly reason?: string | null
}

/**
 * A button that is never hidden and never mute: what cannot be done is shown with the reason, and
 * can still be reached by the keyboard to hear it.
 */
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
