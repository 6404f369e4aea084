import { Tooltip } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { client } from '#data/client.ts'
import { overdueCountQuery } from '#data/my-work.ts'
import { usePinnedProjects } from '#data/pinned.ts'
import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { IconLayoutSidebar, IconSearch } from '#kit/icons/index.tsx'
import { Keys } from '#kit/keyboard/keys.tsx'
import { frameKeys } from '#kit/keyboard/shortcuts.ts'
import { HealthShape } from '#kit/parts/health.tsx'
import { Logo } from '#kit/parts/logo.tsx'
import { formatNumber, t } from '#text/index.ts'

import { AccountButton } from './account-button.tsx'
import {
  activeItem,
  mainItems,
  type NavItem,
  peopleItems,
  useUsable,
  workspaceItems,
} from './navigation.tsx'
import { PasskeyNotice } from './passkey-offer.tsx'

import classes from './sidebar.module.css'

export interface SidebarProps {
  readonly isCollapsed: boolean
  /** Null if the viewport is too narrow for a wide sidebar. */
  readonly onCollapse: (() => void) | null
  readonly onSearch: () => void
  readonly onHelp: () => void
}

/** The workspace, the search, the pages and the account. */
export function Sidebar({ isCollapsed, onCollapse, onSearch, onHelp }: SidebarProps) {
  const workspacePages = useUsable(workspaceItems)
  return (
    <div className={`${classes.side} no-print`} data-collapsed={isCollapsed}>
      <Top onCollapse={onCollapse} isCollapsed={isCollapsed} />
      <nav aria-label={t('shell.navigation')} className={classes.nav}>
        <Hint text={t('word.search')} isShown={isCollapsed}>
          <button type="button" className={classes.item} onClick={onSearch}>
            <IconSearch size={16} />
            <span className={classes.text}>{t('word.search')}</span>
            <span className={classes.end} aria-hidden>
              <Keys keys={frameKeys.palette} />
            </span>
          </button>
        </Hint>
        <NavLinks items={mainItems} isCollapsed={isCollapsed} hasCounts={!isCollapsed} />
        <Heading>{t('people.title')}</Heading>
        <NavLinks items={peopleItems} isCollapsed={isCollapsed} />
        {!isCollapsed && <PinnedLinks />}
        {workspacePages.length > 0 && <Heading>{t('shell.workspace')}</Heading>}
        <NavLinks items={workspacePages} isCollapsed={isCollapsed} />
      </nav>
      {!isCollapsed && <PasskeyNotice />}
      <AccountButton isCollapsed={isCollapsed} onHelp={onHelp} />
    </div>
  )
}

function Top({ onCollapse, isCollapsed }: Pick<SidebarProps, 'onCollapse' | 'isCollapsed'>) {
  const { workspace } = useWhoami()
  const name = t(isCollapsed ? 'shell.expand' : 'shell.collapse')
  return (
    <header className={classes.top}>
      <Logo size={20} />
      <span className={classes.workspace}>{workspace.name}</span>
      {onCollapse !== null && (
        <Tooltip label={name} position="right">
          <button
            type="button"
            className={classes.collapse}
            aria-label={name}
            aria-expanded={!isCollapsed}
            onClick={onCollapse}
          >
            <IconLayoutSidebar size={16} />
          </button>
        </Tooltip>
      )}
    </header>
  )
}

const Heading = ({ children }: { readonly children: string }) => (
  <h2 className={classes.heading}>{children}</h2>
)

interface HintProps {
  readonly text: string
  readonly isShown: boolean
  readonly children: ReactNode
}

/** Names an item that shows its icon only. */
const Hint = ({ text, isShown, children }: HintProps) => (
  <Tooltip label={text} position="right" disabled={!isShown}>
    {children}
  </Tooltip>
)

/** Otherwise the router marks a link on all pages below it. */
const exact = { exact: true }

interface LinksProps {
  readonly items: readonly NavItem[]
  readonly isCollapsed?: boolean
  readonly hasCounts?: boolean
}

/** Links to pages. The current one is marked. */
export function NavLinks({ items, isCollapsed = false, hasCounts = false }: LinksProps) {
  const active = useRouterState({ select: ({ location }) => activeItem(location.pathname) })
  return items.map(({ to, text, Icon }) => (
    <Hint key={to} text={t(text)} isShown={isCollapsed}>
      <Link
        to={to}
        search={{}}
        activeOptions={exact}
        className={classes.item}
        {...(active === to && { 'aria-current': 'page' })}
      >
        <Icon size={16} />
        <span className={classes.text}>{t(text)}</span>
        {hasCounts && to === '/my-work' && <OverdueCount />}
      </Link>
    </Hint>
  ))
}

/** The number of overdue items of the person. A service key has no work. */
function OverdueCount() {
  const { person } = useWhoami()
  const isAllowed = useMissingScopeReason('projects.read') === null
  const enabled = person !== null && isAllowed
  const { data: count = 0 } = useInfiniteQuery({ ...overdueCountQuery, enabled })
  if (count === 0) return null
  const name = t('work.overdue', { count })
  return (
    <span className={`${classes.end} ${classes.late}`} role="img" aria-label={name} title={name}>
      {formatNumber(count)}
    </span>
  )
}

/** The pinned projects that still exist, in the order of pinning. */
function PinnedLinks() {
  const { ids } = usePinnedProjects()
  const isAllowed = useMissingScopeReason('projects.read') === null
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const { data } = useQuery({
    queryKey: ['projects', 'pinned', ...ids],
    queryFn: ({ signal }) => client.projects.list({ query: { id: [...ids] } }, { signal }),
    enabled: ids.length > 0 && isAllowed,
    staleTime: 60_000,
  })
  const projects = ids.flatMap((id) => data?.data.find((each) => each.id === id) ?? [])
  if (projects.length === 0) return null
  return (
    <>
      <Heading>{t('shell.pinned')}</Heading>
      {projects.map(({ id, name, health }) => (
        <Link
          key={id}
          to="/projects/$project_id"
          params={{ project_id: id }}
          search={{}}
          activeOptions={exact}
          className={classes.item}
          {...(pathname === `/projects/${id}` && { 'aria-current': 'page' })}
        >
          <HealthShape health={health} />
          <span className={classes.text}>{name}</span>
        </Link>
      ))}
    </>
  )
}
