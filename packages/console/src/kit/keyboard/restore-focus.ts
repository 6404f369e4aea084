import { useEffect } from 'react'

/**
 * Returns the focus to the element that opened the dialog, or to the page content if that element
 * is gone. Does nothing if another element has the focus by then. The dialogs need this because
 * they unmount when they close.
 */
export function useRestoreFocus(): void {
  useEffect(() => {
    const opener = document.activeElement
    return () => {
      const isFocusLost =
        document.activeElement === null || document.activeElement === document.body
      const target = opener?.isConnected ? opener : document.querySelector('#content')
      if (isFocusLost && target instanceof HTMLElement) target.focus({ preventScroll: true })
    }
  }, [])
}
