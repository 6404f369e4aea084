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
import { lazyRouteComponent, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { useConflictPrompt } from './conflict.ts'
import { IconLogout, IconMoon, IconSearch, IconSun } from './icons/index.tsx'
import { KeyExpiryNotice } from './key-expiry-notice.tsx'
import { Navigation } from './navigation.tsx'
import { PagePending } from './page-states.tsx'
import { useSignOut } from './sign-out.ts'

const ConflictDialog = lazyRouteComponent(() => import('./conflict-dialog.tsx'), 'ConflictDialog')
const CommandPalette = lazyRouteComponent(() => import('./command-palette.tsx'), 'CommandPalette')

/** The header, navigation and overlays around every page. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const content = useFocusOnNewPage(close)
  const [paletteKey, setPaletteKey] = useState(0)
  const openPalette = () => setPaletteKey(paletteKey + 1)
  useHotkeys([['mod+K', openPalette]], [])
  const conflict = useConflictPrompt()
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
        <Header isOpen={isOpen} toggle={toggle} openPalette={openPalette} />
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t('shell.navigation')}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" ref={content} tabIndex={-1}>
        <KeyExpiryNotice />
        <Suspense fallback={<PagePending />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <Suspense>
        {paletteKey > 0 && <CommandPalette key={paletteKey} />}
        {conflict && <ConflictDialog prompt={conflict} />}
      </Suspense>
    </AppShell>
  )
}

/**
 * Moves the focus to the content after navigation, for keyboard and screen reader users, and closes
 * the mobile menu.
 */
function useFocusOnNewPage(onNewPage: () => void) {
  const content = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const previousPath = useRef(pathname)
  useEffect(() => {
    if (previousPath.current === pathname) return
    previousPath.current = pathname
    onNewPage()
    content.current?.focus({ preventScroll: true })
  }, [pathname, onNewPage])
  return content
}

interface HeaderProps {
  readonly isOpen: boolean
  readonly toggle: () => void
  readonly openPalette: () => void
}

function Header({ isOpen, toggle, openPalette }: HeaderProps) {
  const { workspace, key } = useWhoami()
  const signOut = useSignOut()
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
        <SearchButton onClick={openPalette} />
        <ColorSchemeToggle />
        <Text size="sm" c="dimmed" visibleFrom="md" truncate maw={180} title={t('shell.key')}>
          {key.name}
        </Text>
        <Tooltip label={t('shell.sign-out')}>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={t('shell.sign-out')}
            onClick={() => void signOut()}
          >
            <IconLogout size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  )
}

function SearchButton({ onClick }: { readonly onClick: () => void }) {
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

function ColorSchemeToggle() {
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
