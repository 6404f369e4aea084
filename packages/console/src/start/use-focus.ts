import { type RefObject, useEffect, useRef } from 'react'

/**
 * Whoever sent the form of one step goes on with the next, by keyboard too. Who only opens the page
 * starts at its beginning.
 */
export function useFocusOnShow<E extends HTMLElement>(isWanted: boolean): RefObject<E | null> {
  const element = useRef<E>(null)
  const isWantedFirst = useRef(isWanted)
  useEffect(() => {
    if (isWantedFirst.current) element.current?.focus()
  }, [])
  return element
}
