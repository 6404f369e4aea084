import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'

interface Handlers {
  readonly onClick: () => void
  readonly onPointerEnter: () => void
  readonly onFocus: () => void
}

interface Props {
  readonly button: (handlers: Handlers) => ReactNode
  /** Loads the code of the menu. */
  readonly load: () => void
  /** The menu with its button. It opens on mount. */
  readonly children: ReactNode
}

/** A button until it is pressed, then its menu. The code of menus is no part of the first load. */
export function FirstUse({ button, load, children }: Props) {
  const [isUsed, setUsed] = useState(false)
  const target = button({ onClick: () => setUsed(true), onPointerEnter: load, onFocus: load })
  return isUsed ? <Suspense fallback={target}>{children}</Suspense> : target
}

/** The state of a menu that opens on mount. It returns the focus to its button. */
export function useOpenOnMount() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    button.current?.focus()
    setOpen(true)
  }, [])
  return { button, isOpen, setOpen }
}
