import type { KeyboardEvent, RefObject } from 'react'

import { areLettersOn, isTyping } from '#kit/keyboard/letter-keys.ts'
import { useShortcuts } from '#kit/keyboard/shortcuts.ts'

export interface RowKeys {
  /** Enter and Space: shows the item beside the list. */
  readonly onPeek?: ((id: string) => void) | undefined
  readonly onOpen?: ((id: string) => void) | undefined
  readonly onSelect?: ((id: string) => void) | undefined
  /** Selects all rows from the last selected one to this one. */
  readonly onSelectTo?: ((id: string) => void) | undefined
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
const letterSteps: Readonly<Record<string, number>> = { j: 1, k: -1 }

/** Arrows leave the list at its ends; letters do nothing there. */
function moveByKey({ key, currentTarget }: KeyboardEvent<HTMLElement>, row: HTMLElement): boolean {
  const step = arrowSteps[key]
  if (step !== undefined) return moveFromRow(currentTarget, row, step)
  const letterStep = areLettersOn() ? letterSteps[key] : undefined
  if (letterStep !== undefined) moveFocus(currentTarget, row, letterStep)
  return letterStep !== undefined
}

/** The keys of a row that has the focus. */
export function handleRowKey(event: KeyboardEvent<HTMLElement>, keys: RowKeys): void {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return
  const row = (target as HTMLElement).closest<HTMLElement>(rowSelector)
  const id = row?.dataset['row']
  if (row === null || id === undefined) return
  if (moveByKey(event, row)) return event.preventDefault()
  // A button or link in the row has its own Enter and Space.
  const action = target === row ? rowAction(key, keys, row) : undefined
  if (action === undefined) return
  event.preventDefault()
  action(id)
}

/** Moves the focus to the next row, or from the first one to the heads above it. */
const moveFromRow = (scroller: HTMLElement, row: Element, step: number) =>
  moveFocus(scroller, row, step) || (step < 0 && focusHead(scroller))

const headSelector = '[role=columnheader] button'

/**
 * Above the first row are the heads that sort the list. They are no tab stops, so that Tab reaches
 * the first row early.
 */
function focusHead(scroller: HTMLElement): boolean {
  const sorted = scroller.querySelector<HTMLElement>('[aria-sort] button')
  const head = sorted ?? scroller.querySelector<HTMLElement>(headSelector)
  head?.focus()
  return head !== null
}

/** The arrow keys of a head: to the heads beside it, and down to the first row. */
export function handleHeadKey(event: KeyboardEvent<HTMLElement>): void {
  const heads = [...event.currentTarget.querySelectorAll<HTMLElement>(headSelector)].filter(
    (head) => head.offsetParent !== null,
  )
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const table = event.currentTarget.closest('[role=table]')
  const next =
    event.key === 'ArrowDown'
      ? table?.querySelector<HTMLElement>(rowSelector)
      : step && heads[heads.indexOf(event.target as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function rowAction(key: string, keys: RowKeys, row: HTMLElement) {
  const { onPeek, onOpen, onSelect, onSelectTo } = keys
  const isPeeked = row.dataset['peeked'] === 'true'
  if (key === 'Enter') return isPeeked ? (onOpen ?? onPeek) : (onPeek ?? onOpen)
  if (key === ' ') return onPeek ?? onOpen
  if (!areLettersOn()) return undefined
  if (key === 'x') return onSelect
  if (key === 'X') return onSelectTo
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
