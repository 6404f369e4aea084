import { type ReactNode, Suspense } from 'react'

interface Props {
  readonly isOpen: boolean
  readonly children: ReactNode
}

/** A dialog that is loaded when it is first opened, and made anew each time. */
export function WhileOpen({ isOpen, children }: Props) {
  return isOpen && <Suspense>{children}</Suspense>
}
