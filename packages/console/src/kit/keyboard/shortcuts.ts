import { useEffect, useRef } from 'react'

import type { TextKey } from '#text/index.ts'

import { areLettersOn, isTyping } from './letter-keys.ts'

interface Shortcut {
  /** The keys in order, such as `g r` or `mod+k`. */
  readonly keys: string
  readonly text: TextKey
}

/** The pages that `g` and a letter open. */
export const pageShortcuts = [
  { keys: 'g m', text: 'work.title', to: '/my-work' },
  { keys: 'g o', text: 'overview.title', to: '/overview' },
  { keys: 'g c', text: 'changes.title', to: '/changes' },
  { keys: 'g r', text: 'risks.title', to: '/risks' },
  { keys: 'g i', text: 'issues.title', to: '/issues' },
  { keys: 'g t', text: 'tasks.title', to: '/tasks' },
  { keys: 'g p', text: 'projects.title', to: '/projects' },
  { keys: 'g e', text: 'people.title', to: '/people' },
] as const satisfies readonly (Shortcut & { to: string })[]

/** The keys that work on every page. */
export const frameKeys = { palette: 'mod+k', create: 'c', help: '?', sidebar: '[' } as const

interface ShortcutGroup {
  readonly title: TextKey
  readonly shortcuts: readonly Shortcut[]
}

/** All keys, as the keyboard help shows them. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: 'keyboard.everywhere',
    shortcuts: [
      { keys: frameKeys.palette, text: 'keyboard.palette' },
      { keys: frameKeys.create, text: 'keyboard.create' },
      { keys: frameKeys.help, text: 'keyboard.help' },
      { keys: frameKeys.sidebar, text: 'keyboard.sidebar' },
    ],
  },
  {
    title: 'keyboard.search',
    shortcuts: [
      { keys: 'Enter', text: 'word.open' },
      { keys: 'mod+Enter', text: 'keyboard.new-tab' },
      { keys: '>', text: 'keyboard.commands' },
    ],
  },
  { title: 'keyboard.go', shortcuts: pageShortcuts },
  {
    title: 'keyboard.list',
    shortcuts: [
      { keys: 'j', text: 'keyboard.next' },
      { keys: 'k', text: 'keyboard.previous' },
      { keys: 'Enter', text: 'word.open' },
      { keys: 'o', text: 'peek.open' },
      { keys: 'x', text: 'keyboard.select' },
      { keys: 'shift+x', text: 'keyboard.select-range' },
      { keys: ']', text: 'keyboard.rail' },
      { keys: 'f', text: 'filter.title' },
    ],
  },
  {
    title: 'keyboard.record',
    shortcuts: [
      { keys: 'j', text: 'keyboard.next-record' },
      { keys: 'k', text: 'keyboard.previous-record' },
      { keys: 's', text: 'word.status' },
      { keys: 'a', text: 'keyboard.person' },
      { keys: 'd', text: 'keyboard.date' },
      { keys: 'r', text: 'word.review' },
      { keys: 'l', text: 'keyboard.rating' },
      { keys: 't', text: 'keyboard.treatment' },
      { keys: '.', text: 'keyboard.menu' },
    ],
  },
  {
    title: 'keyboard.form',
    shortcuts: [
      { keys: 'mod+Enter', text: 'word.save' },
      { keys: 'alt+Enter', text: 'keyboard.save-next' },
      { keys: 'Esc', text: 'dialog.cancel' },
    ],
  },
]

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
const keyNames: Readonly<Record<string, string>> = {
  mod: isApple ? '⌘' : 'Ctrl',
  alt: isApple ? '⌥' : 'Alt',
  shift: '⇧',
  Enter: '↵',
}

/** The names of the keys on this platform: `mod+k` is Ctrl K or ⌘ K. */
export const keyCaps = (keys: string): string[] =>
  keys.split(/[ +]/).map((key) => keyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key))

type Handlers = Readonly<Record<string, (() => void) | undefined>>

/** The handlers of mounted components. Later ones are asked first. */
const layers: { readonly current: Handlers }[] = []
const sequenceMs = 1500
let prefix = { key: '', at: 0 }

/**
 * Handles single keys (`j`) and sequences (`g r`) while the component is mounted. They do nothing
 * in a field, in a dialog or menu, and when the user has turned single letters off. The handlers of
 * the frame give way to those of a page.
 */
export function useShortcuts(handlers: Handlers, isOfFrame = false): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    if (layers.length === 0) window.addEventListener('keydown', handleKey)
    if (isOfFrame) layers.unshift(latest)
    else layers.push(latest)
    return () => {
      layers.splice(layers.indexOf(latest), 1)
      if (layers.length === 0) window.removeEventListener('keydown', handleKey)
    }
  }, [isOfFrame])
}

function handleKey(event: KeyboardEvent): void {
  if (!isShortcut(event)) return
  const key = event.shiftKey ? event.key : event.key.toLowerCase()
  const isSecond = prefix.key !== '' && event.timeStamp - prefix.at < sequenceMs
  const handler = findHandler(isSecond ? `${prefix.key} ${key}` : key) ?? findControl(key)
  prefix = { key: !isSecond && startsSequence(key) ? key : '', at: event.timeStamp }
  if (handler === undefined) return
  event.preventDefault()
  handler()
}

/** AltGr types characters such as `[` on many keyboards; it reports Ctrl and Alt. */
function isShortcut(event: KeyboardEvent): boolean {
  const hasModifier = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph')
  if (hasModifier || event.metaKey || event.defaultPrevented || event.isComposing) return false
  if (/^(?:Shift|Control|Alt|Meta|AltGraph)$/.test(event.key)) return false
  return areLettersOn() && !isTyping(event.target) && !isOverlayOpen()
}

const isOverlayOpen = () => document.querySelector('[role=dialog], [role=menu]') !== null

const findHandler = (keys: string) =>
  layers.findLast(({ current }) => current[keys] !== undefined)?.current[keys]

/**
 * A control can name its key, such as the editor of a property. Those of the row with the focus
 * come first, and those of other rows do not count.
 */
function findControl(key: string): (() => void) | undefined {
  const controls = [
    ...document.querySelectorAll<HTMLElement>(`[data-shortcut="${CSS.escape(key)}"]`),
  ]
  const row = document.activeElement?.closest(rowSelector)
  const control =
    controls.find((each) => row?.contains(each)) ??
    controls.find((each) => each.closest(rowSelector) === null)
  return control && (() => control.click())
}

const rowSelector = '[data-row]'

const startsSequence = (key: string) =>
  layers.some(({ current }) => Object.keys(current).some((keys) => keys.startsWith(`${key} `)))
