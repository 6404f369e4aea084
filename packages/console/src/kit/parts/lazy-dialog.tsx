import { type ReactNode, Suspense, useLayoutEffect } from 'react'

import { keepTyping } from '#kit/keyboard/keep-typing.ts'

interface Props {
  readonly isOpen: boolean
  readonly children: ReactNode
}

/**
 * Mounts a dialog while it is open. Its code loads on first use, and its state is reset. What is
 * typed before its first field has the focus is kept.
 */
export function LazyDialog({ isOpen, children }: Props) {
  useLayoutEffect(() => {
    if (isOpen) keepTyping()
  }, [isOpen])
  return isOpen && <Suspense>{children}</Suspense>
}
