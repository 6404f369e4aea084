import type { Scope } from '@muster/contract'

import { useHasAnyScope } from '#data/whoami.ts'
import {
  IconAlertTriangle,
  IconArrowsDiff,
  IconCheckbox,
  IconFlag,
  IconKey,
  IconLayoutDashboard,
  IconLayoutList,
  IconListCheck,
  IconSettings,
  IconUpload,
  IconUsers,
  IconUsersGroup,
} from '#kit/icons/index.tsx'
import type { TextKey } from '#text/index.ts'

export interface NavItem {
  readonly to: string
  readonly text: TextKey
  readonly Icon: typeof IconKey
  /** The scopes that the page is for; one of them is enough. Everyone can use it without. */
  readonly scopes?: readonly Scope[]
}

export const mainItems: readonly NavItem[] = [
  { to: '/my-work', text: 'work.title', Icon: IconListCheck },
  { to: '/overview', text: 'overview.title', Icon: IconLayoutDashboard },
  { to: '/changes', text: 'changes.title', Icon: IconArrowsDiff },
  { to: '/risks', text: 'risks.title', Icon: IconAlertTriangle },
  { to: '/issues', text: 'issues.title', Icon: IconFlag },
  { to: '/tasks', text: 'tasks.title', Icon: IconCheckbox },
  { to: '/projects', text: 'projects.title', Icon: IconLayoutList },
]

export const peopleItems: readonly NavItem[] = [
  { to: '/people', text: 'people.title', Icon: IconUsers },
  { to: '/groups', text: 'groups.title', Icon: IconUsersGroup },
]

export const workspaceItems: readonly NavItem[] = [
  {
    to: '/import',
    text: 'import.title',
    Icon: IconUpload,
    scopes: ['projects.manage', 'personnel.manage'],
  },
  { to: '/keys', text: 'keys.title', Icon: IconKey, scopes: ['keys.read'] },
  { to: '/workspace', text: 'settings.title', Icon: IconSettings, scopes: ['workspace.read'] },
]

/** The items that the user can use. */
export function useUsable(items: readonly NavItem[]): readonly NavItem[] {
  const hasAny = useHasAnyScope()
  return items.filter(({ scopes }) => scopes === undefined || hasAny(scopes))
}

/** The pages of the settings, each with its own address. */
export const settingsItems = [
  { to: '/workspace', text: 'settings.general' },
  { to: '/access', text: 'access.title' },
  { to: '/workspace/sign-in', text: 'sign-in-settings.title' },
  { to: '/audit', text: 'audit.title' },
  { to: '/workspace/usage', text: 'settings.usage' },
] as const satisfies readonly { to: string; text: TextKey }[]

const settingsAreas = new Set(['/workspace', '/access', '/audit'])

/** The item for a path. The path of a risk starts with its project, but the risks item is active. */
export function activeItem(pathname: string): string {
  const [, area = '', , part] = pathname.split('/')
  const path = `/${/^(?:risks|issues|tasks)$/.test(part ?? '') ? part : area}`
  return settingsAreas.has(path) ? '/workspace' : path
}
