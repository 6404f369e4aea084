import { NavLink, Stack } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBriefcase,
  IconBug,
  IconBuilding,
  IconKey,
  IconUpload,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import { createLink, useRouterState } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

import { t, type TextKey } from '#text/index.ts'

/** Where one can go. The palette offers the same. */
export const places = [
  { to: '/risks', text: 'risks.title', Icon: IconAlertTriangle },
  { to: '/issues', text: 'issues.title', Icon: IconBug },
  { to: '/projects', text: 'projects.title', Icon: IconBriefcase },
  { to: '/people', text: 'people.title', Icon: IconUsers },
  { to: '/groups', text: 'groups.title', Icon: IconUsersGroup },
  { to: '/import', text: 'import.title', Icon: IconUpload },
  { to: '/keys', text: 'keys.title', Icon: IconKey },
  { to: '/workspace', text: 'workspace.title', Icon: IconBuilding },
] as const satisfies readonly { to: string; text: TextKey; Icon: typeof IconKey }[]

const Place = createLink((props: ComponentProps<typeof NavLink<'a'>>) => (
  <NavLink component="a" {...props} />
))

export function Navigation() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <Stack gap={4}>
      {places.map(({ to, text, Icon }) => {
        const isHere = placeOf(pathname) === to
        return (
          <Place
            key={to}
            to={to}
            search={{}}
            activeOptions={{ exact: true }}
            label={t(text)}
            leftSection={<Icon size={18} />}
            active={isHere}
            variant="light"
            {...(isHere && { 'aria-current': 'page' as const })}
          />
        )
      })}
    </Stack>
  )
}

/** A risk is among the risks, though it is reached by its project as in the API. */
function placeOf(pathname: string): string {
  const [, area = '', , part] = pathname.split('/')
  return `/${part === 'risks' || part === 'issues' ? part : area}`
}
