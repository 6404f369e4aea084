import { NavLink, Stack } from '@mantine/core'
import { createLink, useRouterState } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

import { t, type TextKey } from '#text/index.ts'

import {
  IconAlertTriangle,
  IconBriefcase,
  IconBug,
  IconBuilding,
  IconKey,
  IconUpload,
  IconUsers,
  IconUsersGroup,
} from './icons/index.tsx'

/** The pages in the navigation and in the command palette. */
export const navItems = [
  { to: '/risks', text: 'risks.title', Icon: IconAlertTriangle },
  { to: '/issues', text: 'issues.title', Icon: IconBug },
  { to: '/projects', text: 'projects.title', Icon: IconBriefcase },
  { to: '/people', text: 'people.title', Icon: IconUsers },
  { to: '/groups', text: 'groups.title', Icon: IconUsersGroup },
  { to: '/import', text: 'import.title', Icon: IconUpload },
  { to: '/keys', text: 'keys.title', Icon: IconKey },
  { to: '/workspace', text: 'workspace.title', Icon: IconBuilding },
] as const satisfies readonly { to: string; text: TextKey; Icon: typeof IconKey }[]

const NavItem = createLink((props: ComponentProps<typeof NavLink<'a'>>) => (
  <NavLink component="a" {...props} />
))

export function Navigation() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <Stack gap={4}>
      {navItems.map(({ to, text, Icon }) => {
        const isActive = activePath(pathname) === to
        return (
          <NavItem
            key={to}
            to={to}
            search={{}}
            activeOptions={{ exact: true }}
            label={t(text)}
            leftSection={<Icon size={18} />}
            active={isActive}
            variant="light"
            {...(isActive && { 'aria-current': 'page' as const })}
          />
        )
      })}
    </Stack>
  )
}

/** The path of a risk starts with its project, but the risks item is active. */
function activePath(pathname: string): string {
  const [, area = '', , part] = pathname.split('/')
  return `/${part === 'risks' || part === 'issues' ? part : area}`
}
