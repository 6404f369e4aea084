import { useHotkeys } from '@mantine/hooks'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'

/** The palette loads when the browser is idle, or when it opens. */
export const CommandPalette = lazyRouteComponent(
  () => import('./command-palette.tsx'),
  'CommandPalette',
)

/** The text in the field of the palette. It outlives the time in which the palette loads. */
let text = ''
const listeners = new Set<() => void>()

function setText(next: string): void {
  text = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function usePaletteText(): readonly [string, (text: string) => void] {
  return [useSyncExternalStore(subscribe, () => text), setText]
}

interface Palette {
  /** How often the palette was opened. Each opening mounts a new palette. */
  readonly openings: number
  readonly open: () => void
}

export function usePalette(): Palette {
  const [openings, setOpenings] = useState(0)
  const open = () => {
    setText('')
    keepTyping()
    setOpenings(openings + 1)
  }
  useHotkeys([['mod+K', open]], [])
  useEffect(loadWhenIdle, [])
  return { openings, open }
}

const firstPageMs = 2000

/** Loads the palette after the first page, which has precedence. */
function loadWhenIdle(): () => void {
  const load = () => void CommandPalette.preload?.()
  // Safari has no requestIdleCallback.
  const loadIdle = 'requestIdleCallback' in window ? () => requestIdleCallback(load) : load
  const timer = setTimeout(loadIdle, firstPageMs)
  return () => clearTimeout(timer)
}

const loadingMs = 10_000
let stopKeeping = () => {}

/**
 * Puts what is typed into the text of the palette until its field has the focus, so that nothing
 * typed while the palette loads is lost or reaches the page.
 */
function keepTyping(): void {
  stopKeeping()
  const stop = () => window.removeEventListener('keydown', keep, true)
  const keep = (event: KeyboardEvent) => {
    if (isPaletteField(event.target)) return stop()
    if (event.key === 'Escape') return stop()
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined
    const next = textAfter(event.key)
    if (next === null) return undefined
    event.preventDefault()
    event.stopPropagation()
    setText(next)
    return undefined
  }
  window.addEventListener('keydown', keep, true)
  const timer = setTimeout(stop, loadingMs)
  stopKeeping = () => {
    clearTimeout(timer)
    stop()
  }
}

/** Enter would press the focused button of the page. */
function textAfter(key: string): string | null {
  if (key === 'Enter') return text
  if (key === 'Backspace') return text.slice(0, -1)
  return key.length === 1 ? text + key : null
}

const isPaletteField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.closest('[role=dialog]') !== null
