import { type ReactNode, Suspense } from 'react'

interface Props {
  readonly isOpen: boolean
  readonly children: ReactNode
}

/** Mounts a dialog while it is open. Its code loads on first use, and its state is reset. */
export function LazyDialog({ isOpen, children }: Props) {
  return isOpen && <Suspense>{children}</Suspense>
}
