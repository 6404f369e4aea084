import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { lazyRouteComponent, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import {
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'

import { useConflictPrompt } from '#data/change/conflict.ts'
import { afterQuiet } from '#data/idle.ts'
import { useReauthenticationPrompt } from '#data/reauthentication.ts'
import { keepTyping } from '#kit/keyboard/keep-typing.ts'
import { frameKeys, pageShortcuts, useShortcuts } from '#kit/keyboard/shortcuts.ts'
import { PageBones } from '#kit/parts/bones.tsx'
import { t } from '#text/index.ts'

import { BottomBar } from './bottom-bar.tsx'
import { KeyExpiryNotice } from './key-expiry-notice.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { CommandPalette, usePalette } from './palette.ts'
import { Sidebar } from './sidebar.tsx'

import classes from './shell.module.css'

const ConflictDialog = lazyRouteComponent(() => import('./conflict-dialog.tsx'), 'ConflictDialog')
const SignInAgainDialog = lazyRouteComponent(
  () => import('#pages/sign-in/sign-in-again-dialog.tsx'),
  'SignInAgainDialog',
)
const KeyboardHelp = lazyRouteComponent(() => import('./keyboard-help.tsx'), 'KeyboardHelp')

/** The navigation and overlays around every page. */
export function Shell() {
  const palette = usePalette()
  const [isHelpOpen, help] = useDisclosure(false)
  useLiveChanges()
  return (
    <>
      <Frame onSearch={palette.open} onHelp={help.open}>
        <Suspense fallback={<PageBones />}>
          <Outlet />
        </Suspense>
      </Frame>
      <Suspense>
        {palette.openings > 0 && <CommandPalette key={palette.openings} onHelp={help.open} />}
        {isHelpOpen && <KeyboardHelp onClose={help.close} />}
      </Suspense>
      <Prompts />
    </>
  )
}

/** Shows changes of others. The code for it loads after the first page is drawn. */
function useLiveChanges(): void {
  useEffect(() => {
    const controller = new AbortController()
    const start = async () => {
      const { startLive } = await import('#live/start.ts')
      await startLive(controller.signal)
    }
    // Without the code the console works, and refetches when it gets the focus.
    afterQuiet(() => void start().catch(() => {}))
    return () => controller.abort()
  }, [])
}

interface FrameProps {
  readonly onSearch: () => void
  readonly onHelp: () => void
  readonly children: ReactNode
}

const now = { getInitialValueInEffect: false }

function Frame({ onSearch, onHelp, children }: FrameProps) {
  const content = useFocusOnNewPage()
  const isPhone = useMediaQuery('(max-width: 640px)', false, now)
  const isNarrow = useMediaQuery('(max-width: 1100px)', false, now)
  const [isFolded, setFolded] = useLocalStorage({
    key: 'muster.sidebar-collapsed',
    defaultValue: false,
    ...now,
  })
  const isCollapsed = isNarrow || isFolded
  const toggle = () => setFolded(!isFolded)
  useFrameKeys(onHelp, toggle)
  return (
    <div className={classes.app} data-collapsed={isCollapsed}>
      <a className={classes.skip} href="#content" onClick={skipToContent}>
        {t('shell.skip')}
      </a>
      {isPhone ? (
        <BottomBar onSearch={onSearch} onHelp={onHelp} />
      ) : (
        <Sidebar
          isCollapsed={isCollapsed}
          onCollapse={isNarrow ? null : toggle}
          onSearch={onSearch}
          onHelp={onHelp}
        />
      )}
      <div className={classes.main}>
        <OfflineBanner />
        <KeyExpiryNotice />
        <main id="content" ref={content} tabIndex={-1} className={classes.content}>
          {children}
        </main>
      </div>
    </div>
  )
}

function useFrameKeys(onHelp: () => void, toggleSidebar: () => void): void {
  const navigate = useNavigate()
  const goTo = pageShortcuts.map(
    ({ keys, to }) => [keys, () => void navigate({ to, search: {} })] as const,
  )
  useShortcuts(
    {
      ...Object.fromEntries(goTo),
      [frameKeys.create]: () => {
        keepTyping()
        void navigate({ to: '/risks', search: { create: 'risk' } })
      },
      [frameKeys.help]: onHelp,
      [frameKeys.sidebar]: toggleSidebar,
    },
    true,
  )
}

/** The questions of requests: a conflict, and a sign-in that must be repeated. */
export function Prompts() {
  const conflict = useConflictPrompt()
  const reauthentication = useReauthenticationPrompt()
  return (
    <Suspense>
      {conflict && <ConflictDialog conflict={conflict.question} onChoose={conflict.answer} />}
      {reauthentication && (
        <SignInAgainDialog reason={reauthentication.question} onDone={reauthentication.answer} />
      )}
    </Suspense>
  )
}

/** Moves the focus to the first row of a list, or else to the content. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault()
  const content = document.querySelector<HTMLElement>('#content')
  const row = content?.querySelector<HTMLElement>('[data-row][tabindex="0"]')
  ;(row ?? content)?.focus()
}

/** Moves the focus to the content after navigation, for keyboard and screen reader users. */
function useFocusOnNewPage() {
  const content = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const previousPath = useRef(pathname)
  // A layout effect, so that a list can then put the focus on the row that the user comes back to.
  useLayoutEffect(() => {
    if (previousPath.current === pathname) return
    previousPath.current = pathname
    content.current?.focus({ preventScroll: true })
  }, [pathname])
  return content
}
