import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Text,
  Tooltip,
  useMantineColorScheme,
} from '@mantine/core'
import { useComputedColorScheme } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconLogout, IconMoon, IconSearch, IconSun } from '@tabler/icons-react'
import { lazyRouteComponent, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { useConflict } from './conflict.ts'
import { KeyNotice } from './key-notice.tsx'
import { useLeave } from './leave.ts'
import { Navigation } from './navigation.tsx'
import { PagePending } from './page-states.tsx'

const ConflictDialog = lazyRouteComponent(() => import('./conflict-dialog.tsx'), 'ConflictDialog')
const Palette = lazyRouteComponent(() => import('./palette.tsx'), 'Palette')

/** What is around every page: where one is, where one can go, and who one is. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const content = useFocusOnNewPage(close)
  const [searches, setSearches] = useState(0)
  const search = () => setSearches(searches + 1)
  useHotkeys([['mod+K', search]], [])
  const conflict = useConflict()
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip" href="#content">
        {t('shell.skip')}
      </a>
      <AppShell.Header px="md">
        <Header isOpen={isOpen} toggle={toggle} search={search} />
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t('shell.navigation')}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" ref={content} tabIndex={-1}>
        <KeyNotice />
        <Suspense fallback={<PagePending />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <Suspense>
        {searches > 0 && <Palette key={searches} />}
        {conflict && <ConflictDialog question={conflict} />}
      </Suspense>
    </AppShell>
  )
}

/**
 * A new page is read from its beginning: whoever uses the keyboard or a screen reader starts there,
 * and the menu of a small screen is out of the way.
 */
function useFocusOnNewPage(onNewPage: () => void) {
  const content = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    onNewPage()
    content.current?.focus({ preventScroll: true })
  }, [pathname, onNewPage])
  return content
}

interface HeaderProps {
  readonly isOpen: boolean
  readonly toggle: () => void
  readonly search: () => void
}

function Header({ isOpen, toggle, search }: HeaderProps) {
  const { workspace, key } = useWhoami()
  const leave = useLeave()
  return (
    <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={t('shell.menu')}
          aria-expanded={isOpen}
        />
        <Text fw={700} truncate>
          {workspace.name}
        </Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Search onClick={search} />
        <SchemeToggle />
        <Text size="sm" c="dimmed" visibleFrom="md" truncate maw={180} title={t('shell.key')}>
          {key.name}
        </Text>
        <Tooltip label={t('shell.sign-out')}>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={t('shell.sign-out')}
            onClick={() => void leave()}
          >
            <IconLogout size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  )
}

function Search({ onClick }: { readonly onClick: () => void }) {
  return (
    <>
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={onClick}
      >
        {t('palette.open')}
      </Button>
      <ActionIcon
        variant="subtle"
        size="lg"
        hiddenFrom="sm"
        aria-label={t('palette.open')}
        onClick={onClick}
      >
        <IconSearch size={18} />
      </ActionIcon>
    </>
  )
}

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const name = isDark ? t('shell.light') : t('shell.dark')
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={name}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      >
        {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}
