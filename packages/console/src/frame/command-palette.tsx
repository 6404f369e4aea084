import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  useSpotlight,
} from '@mantine/spotlight'
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef, useState } from 'react'

import { IconSearch, IconSettings } from '#kit/icons/index.tsx'
import { Keys } from '#kit/keyboard/keys.tsx'
import { pageShortcuts } from '#kit/keyboard/shortcuts.ts'
import { t } from '#text/index.ts'

import { usePaletteActions, useRecordGroups } from './command-palette-actions.tsx'
import { useSearchResults } from './command-palette-results.tsx'
import { useFollowLink } from './follow-link.ts'
import {
  mainItems,
  type NavItem,
  peopleItems,
  settingsItems,
  useUsable,
  workspaceItems,
} from './navigation.tsx'

import classes from './command-palette.module.css'

const pages: readonly NavItem[] = [
  ...mainItems,
  ...peopleItems,
  ...workspaceItems,
  ...settingsItems.slice(1).map((item) => ({
    ...item,
    Icon: IconSettings,
    scopes: ['workspace.read'] as const,
  })),
]

const [store, spotlight] = createSpotlight()

const keysOfPage = (to: string) => pageShortcuts.find((each) => each.to === to)?.keys

/** What is typed before a command, to find no records. */
const commandMark = '>'
const isMarked = (text: string) => text.startsWith(commandMark)

/**
 * The command palette: finds the actions of the open record, pages, other actions, and all records
 * by their words. It opens on mount, because it loads on first use.
 */
export function CommandPalette({ onHelp }: { readonly onHelp: () => void }) {
  const [input, setInput] = useState('')
  const [term] = useDebouncedValue(input.trim(), 150)
  const text = isMarked(input) ? input.slice(commandMark.length) : input
  const { groups: found, isComplete, isExact } = useSearchResults(isMarked(term) ? '' : term)
  const commands = [
    ...useRecordGroups(),
    { group: t('palette.pages'), actions: usePageActions() },
    { group: t('palette.actions'), actions: usePaletteActions(onHelp) },
  ].map(({ group, actions }) => ({ group, actions: actions.filter(matches(text)) }))
  // A whole reference is meant, whatever else contains its letters.
  const ordered = isExact ? [...found, ...commands] : [...commands, ...found]
  const groups = ordered.filter(({ actions }) => actions.length > 0)
  useEffect(() => spotlight.open(), [])
  const shown = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' ')
  const keys = useResultKeys(shown, isComplete ? term : null)
  return (
    <Spotlight
      store={store}
      query={input}
      onQueryChange={setInput}
      actions={groups}
      highlightQuery
      // The service filters its results; the pages and actions are filtered above.
      filter={(_, actions) => actions}
      nothingFound={emptyText(input.trim(), isComplete ? term : null)}
      searchProps={{
        leftSection: <IconSearch size={16} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('word.search'),
        onKeyDownCapture: keys,
      }}
      classNames={{
        search: classes.search,
        action: classes.action,
        actionSection: classes.section,
        actionsGroup: classes.group,
      }}
      overlayProps={{ color: 'var(--scrim)', backgroundOpacity: 1, blur: 0 }}
      shortcut={null}
      size={620}
      yOffset={112}
      maxHeight={480}
      scrollable
    />
  )
}

function emptyText(input: string, found: string | null) {
  if (input.length < 2) return t('palette.more')
  return t(input === found ? 'palette.nothing' : 'word.searching')
}

const resultKeys = new Set(['Enter', 'ArrowDown', 'ArrowUp'])
/** Keys that are only held, such as Ctrl with Enter. */
const modifiers = new Set(['Control', 'Meta', 'Shift', 'Alt'])

/**
 * Selects the first result whenever the results change. Enter and arrows wait until the results of
 * what is typed are there (`found` is their term), so that they never act on earlier ones.
 */
function useResultKeys(shown: string, found: string | null) {
  const waiting = useRef<KeyPress[]>([])
  const field = useRef<HTMLInputElement>(null)
  const { listId } = useSpotlight(store)
  useEffect(() => {
    if (shown !== '') selectFirst(listId)
  }, [shown, listId])
  useEffect(() => {
    if (found === null || field.current?.value.trim() !== found) return undefined
    // The list of results is mounted and its first one selected after this effect.
    const timer = setTimeout(() => {
      for (const key of waiting.current.splice(0)) press(field.current, key)
    })
    return () => clearTimeout(timer)
  }, [found])
  return (event: ReactKeyboardEvent<HTMLInputElement>) => {
    field.current = event.currentTarget
    const { key, ctrlKey, metaKey } = event
    const isWaiting = event.currentTarget.value.trim() !== found
    const isNewTab = key === 'Enter' && (ctrlKey || metaKey)
    if (!resultKeys.has(key) && !modifiers.has(key)) waiting.current = []
    if (!resultKeys.has(key) || event.nativeEvent.isComposing) return
    if (!isWaiting && !isNewTab) return
    event.preventDefault()
    event.stopPropagation()
    if (isWaiting) waiting.current.push({ key, ctrlKey, metaKey })
    else clickSelected(listId, { ctrlKey, metaKey })
  }
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>

const press = (field: HTMLElement | null, pressed: KeyPress) =>
  field?.dispatchEvent(
    new KeyboardEvent('keydown', { ...pressed, code: pressed.key, bubbles: true }),
  )

const listOf = (listId: string) =>
  listId === '' ? null : document.querySelector(`#${CSS.escape(listId)}`)

/** Clicks the selected action with keys that are held, which Spotlight would leave out. */
const clickSelected = (listId: string, held: Pick<KeyPress, 'ctrlKey' | 'metaKey'>) =>
  listOf(listId)
    ?.querySelector('[data-selected]')
    ?.dispatchEvent(new MouseEvent('click', { ...held, bubbles: true }))

/** Spotlight marks the selected action in the DOM; it forgets it when the actions change. */
function selectFirst(listId: string): void {
  const list = listOf(listId)
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

function usePageActions(): SpotlightActionData[] {
  const follow = useFollowLink()
  return useUsable(pages).map(({ to, text, Icon }) => {
    const keys = keysOfPage(to)
    return {
      id: to,
      label: t(text),
      leftSection: <Icon size={16} />,
      rightSection: keys && <Keys keys={keys} />,
      onClick: follow({ to }),
    }
  })
}

const matches =
  (input: string) =>
  ({ label = '' }: SpotlightActionData) =>
    label.toLowerCase().includes(input.trim().toLowerCase())
