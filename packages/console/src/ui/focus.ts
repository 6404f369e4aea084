import { useEffect } from 'react'

/**
 * A dialog that is made anew each time it opens does not know where the reader was before. Whoever
 * closes it goes on from there, or from the beginning of the page when that is gone; unless
 * something else has asked for their attention since.
 */
export function useFocusBack(): void {
  useEffect(() => {
    const opener = document.activeElement
    return () => {
      const isLost = document.activeElement === null || document.activeElement === document.body
      const place = opener?.isConnected ? opener : document.querySelector('#content')
      if (isLost && place instanceof HTMLElement) place.focus({ preventScroll: true })
    }
  }, [])
}
