import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

import { useEntryKey } from '#data/order.ts'

/** Where the user was in a list. */
interface Place {
  readonly top: number
  readonly rowId: string | null
}

/** The places in the last lists, by the key of their history entry. */
const places = new Map<string, Place>()
const placesMax = 50

function setPlace(key: string, change: Partial<Place>): void {
  const place = { top: 0, rowId: null, ...places.get(key), ...change }
  places.delete(key)
  places.set(key, place)
  const [oldest] = places.keys()
  if (places.size > placesMax && oldest !== undefined) places.delete(oldest)
}

/** The row that has the focus when the user goes back to the list with this key. */
export const setReturnRow = (key: string, rowId: string) => setPlace(key, { rowId })

interface Options {
  readonly scroller: RefObject<HTMLElement | null>
  /** Brings a row that is outside of the window into it. */
  readonly show: (rowId: string) => void
}

/**
 * Puts the list back to where it was when the user comes back to it: the scroll position and the
 * row that had the focus. Call it where the rows are rendered.
 */
export function usePlace({ scroller, show }: Options): void {
  const key = useEntryKey()
  const back = useRef(places.get(key) ?? null)
  useLayoutEffect(() => {
    if (back.current) scroller.current?.scrollTo({ top: back.current.top })
  }, [scroller])
  useEffect(() => {
    const list = scroller.current
    if (list === null) return undefined
    const saveTop = () => setPlace(key, { top: list.scrollTop })
    const saveRow = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
      if (row) setPlace(key, { rowId: row.dataset['row'] ?? null })
    }
    list.addEventListener('scroll', saveTop, { passive: true })
    list.addEventListener('focusin', saveRow)
    return () => {
      list.removeEventListener('scroll', saveTop)
      list.removeEventListener('focusin', saveRow)
    }
  }, [key, scroller])
  // The row may be rendered some renders later.
  useEffect(() => {
    const rowId = back.current?.rowId ?? null
    const list = scroller.current
    if (rowId === null || list === null) return
    const row = list.querySelector<HTMLElement>(`[data-row="${rowId}"]`)
    if (row === null || !isInWindow(row, list)) show(rowId)
    if (row === null) return
    back.current = null
    row.focus({ preventScroll: true })
  })
}

function isInWindow(row: HTMLElement, list: HTMLElement): boolean {
  const [{ top, bottom }, frame] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
  return top >= frame.top && bottom <= frame.bottom
}
