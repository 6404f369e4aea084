import { useDisclosure } from '@mantine/hooks'
import { lazyRouteComponent, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

import { IconMenu } from '#kit/icons/index.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { t } from '#text/index.ts'

import { mainItems, peopleItems, useUsable, workspaceItems } from './navigation.tsx'
import { NavLinks, type SidebarProps } from './sidebar.tsx'

import classes from './bottom-bar.module.css'

const MoreSheet = lazyRouteComponent(() => import('./more-sheet.tsx'), 'MoreSheet')

const placed = new Set(['/my-work', '/overview', '/risks', '/issues'])
const places = mainItems.filter(({ to }) => placed.has(to))
const otherItems = [
  ...mainItems.filter(({ to }) => !placed.has(to)),
  ...peopleItems,
  ...workspaceItems,
]

type Props = Pick<SidebarProps, 'onSearch' | 'onHelp'>

/** The navigation of a phone: four pages, and a sheet with the rest. */
export function BottomBar(props: Props) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const others = useUsable(otherItems)
  useEffect(close, [pathname, close])
  return (
    <nav aria-label={t('shell.navigation')} className={`${classes.bar} no-print`}>
      <NavLinks items={places} />
      <button type="button" className={classes.more} aria-haspopup="dialog" onClick={open}>
        <IconMenu size={20} />
        {t('shell.more')}
      </button>
      <LazyDialog isOpen={isOpen}>
        <MoreSheet {...props} items={others} onClose={close} />
      </LazyDialog>
    </nav>
  )
}
