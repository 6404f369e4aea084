import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { openSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

import { t } from '#text/index.ts'

import { usePaletteActions } from './command-palette-actions.tsx'
import { useSearchResults } from './command-palette-results.ts'
import { IconSearch, IconSettings } from './icons/index.tsx'
import { Keys } from './keys.tsx'
import {
  mainItems,
  type NavItem,
  peopleItems,
  settingsItems,
  workspaceItems,
} from './navigation.tsx'
import { usePaletteText } from './palette.ts'
import { pageShortcuts } from './shortcuts.ts'

import classes from './command-palette.module.css'

const pages: readonly NavItem[] = [
  ...mainItems,
  ...peopleItems,
  ...workspaceItems,
  ...settingsItems.slice(1).map((item) => ({ ...item, Icon: IconSettings })),
]

const keysOfPage = (to: string) => pageShortcuts.find((each) => each.to === to)?.keys

/**
 * The command palette: finds pages, actions, people, projects, risks and issues by name or
 * reference. It opens on mount, because it loads on first use.
 */
export function CommandPalette({ onHelp }: { readonly onHelp: () => void }) {
  const [input, setInput] = usePaletteText()
  const [term] = useDebouncedValue(input.trim(), 150)
  const results = useSearchResults(term)
  const groups = [
    { group: t('palette.pages'), actions: usePageActions().filter(matches(input)) },
    { group: t('palette.actions'), actions: usePaletteActions(onHelp).filter(matches(input)) },
    { group: t('palette.found'), actions: results },
  ]
  useEffect(openSpotlight, [])
  return (
    <Spotlight
      query={input}
      onQueryChange={setInput}
      actions={groups}
      // The service filters its results; the pages and actions are filtered above.
      filter={(_, actions) => actions}
      nothingFound={term.length < 2 ? t('palette.more') : t('palette.nothing')}
      searchProps={{
        leftSection: <IconSearch size={16} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.open'),
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

function usePageActions(): SpotlightActionData[] {
  const navigate = useNavigate()
  return pages.map(({ to, text, Icon }) => {
    const keys = keysOfPage(to)
    return {
      id: to,
      label: t(text),
      leftSection: <Icon size={16} />,
      rightSection: keys && <Keys keys={keys} />,
      onClick: () => void navigate({ to, search: {} }),
    }
  })
}

const matches =
  (input: string) =>
  ({ label = '' }: SpotlightActionData) =>
    label.toLowerCase().includes(input.trim().toLowerCase())
