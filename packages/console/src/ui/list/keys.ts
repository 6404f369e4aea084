import type { KeyboardEvent, RefObject } from 'react'

import { areLettersOn, isTyping } from '#ui/letter-keys.ts'
import { useShortcuts } from '#ui/shortcuts.ts'

export interface RowKeys {
  /** Enter and Space: shows the item beside the list. */
  readonly onPeek?: ((id: string) => void) | undefined
  readonly onOpen?: ((id: string) => void) | undefined
  readonly onSelect?: ((id: string) => void) | undefined
}

const rowSelector = '[data-row]'

/** Moves the focus by a number of rows. Returns false at the ends of the list. */
function moveFocus(scroller: HTMLElement, from: Element | null, step: number): boolean {
  const rows = [...scroller.querySelectorAll<HTMLElement>(rowSelector)]
  const at = from === null ? -1 : rows.indexOf(from as HTMLElement)
  const next =
    at === -1
      ? scroller.querySelector<HTMLElement>(`${rowSelector}[tabindex="0"]`)
      : rows[at + step]
  if (!next) return false
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
  return true
}

const arrowSteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The keys of a row that has the focus. */
export function handleRowKey(event: KeyboardEvent<HTMLElement>, keys: RowKeys): void {
  const { target, key, currentTarget } = event
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return
  const row = (target as HTMLElement).closest<HTMLElement>(rowSelector)
  const id = row?.dataset['row']
  if (row === null || id === undefined) return
  const step = arrowSteps[key]
  if (step !== undefined && moveFocus(currentTarget, row, step)) return event.preventDefault()
  // A button or link in the row has its own Enter and Space.
  const action = target === row ? rowAction(key, keys, row) : undefined
  if (action === undefined) return
  event.preventDefault()
  action(id)
}

function rowAction(key: string, keys: RowKeys, row: HTMLElement) {
  const { onPeek, onOpen, onSelect } = keys
  const isPeeked = row.dataset['peeked'] === 'true'
  if (key === 'Enter') return isPeeked ? (onOpen ?? onPeek) : (onPeek ?? onOpen)
  if (key === ' ') return onPeek ?? onOpen
  if (!areLettersOn()) return undefined
  if (key === 'x') return onSelect
  return key === 'o' ? onOpen : undefined
}

/** `j` and `k` work from anywhere on the page. */
export function useLetterMoves(scroller: RefObject<HTMLElement | null>): void {
  const move = (step: number) => {
    const list = scroller.current
    if (list === null) return
    const row = document.activeElement?.closest(rowSelector) ?? null
    moveFocus(list, list.contains(row) ? row : null, step)
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) })
}
