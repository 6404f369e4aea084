import { type RefObject, useEffect, useRef } from 'react'

/**
 * Focuses the element on mount if `isEnabled` was true at first: after a step is submitted, but not
 * when the page opens.
 */
export function useFocusOnMount<E extends HTMLElement>(isEnabled: boolean): RefObject<E | null> {
  const element = useRef<E>(null)
  const isEnabledAtFirst = useRef(isEnabled)
  useEffect(() => {
    if (isEnabledAtFirst.current) element.current?.focus()
  }, [])
  return element
}
