import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'
import type { Scope } from '@muster/contract'
import { useNavigate } from '@tanstack/react-router'

import { useNewProjectReason, useWhoami } from '#data/whoami.ts'
import {
  IconAlertTriangle,
  IconChevronRight,
  IconFlag,
  IconHelpCircle,
  IconLayoutList,
  IconLogout,
  IconUpload,
  IconUser,
} from '#kit/icons/index.tsx'
import { Keys } from '#kit/keyboard/keys.tsx'
import { frameKeys } from '#kit/keyboard/shortcuts.ts'
import { useOpenRecord } from '#kit/parts/record-actions.tsx'
import { t, type TextKey } from '#text/index.ts'

import { useSignOut } from './sign-out.ts'
import { useThemeToggle } from './theme-toggle.ts'

interface Creation {
  readonly create: string
  readonly to: string
  readonly text: TextKey
  readonly scope: Scope
  readonly Icon: typeof IconUser
}

/** The pages open the dialog that the `create` parameter names. */
const creations: readonly Creation[] = [
  {
    create: 'risk',
    to: '/risks',
    text: 'risks.new',
    scope: 'projects.manage',
    Icon: IconAlertTriangle,
  },
  { create: 'issue', to: '/issues', text: 'issues.new', scope: 'projects.manage', Icon: IconFlag },
  {
    create: 'project',
    to: '/projects',
    text: 'projects.new',
    scope: 'projects.manage',
    Icon: IconLayoutList,
  },
  {
    create: 'person',
    to: '/people',
    text: 'people.add',
    scope: 'personnel.manage',
    Icon: IconUser,
  },
]

/** What the page offers for the record that it shows, in a group of its own. */
export function useRecordGroups(): SpotlightActionGroupData[] {
  const record = useOpenRecord()
  if (record === null) return []
  const actions = record.actions.map(({ name, keys, onClick, isDanger = false }) => ({
    id: `record-${name}`,
    label: name,
    mod: { danger: isDanger },
    leftSection: <IconChevronRight size={16} />,
    ...(keys !== undefined && { rightSection: <Keys keys={keys} /> }),
    onClick,
  }))
  return [{ group: record.name, actions }]
}

/** What the user can do from any page. */
export function usePaletteActions(onHelp: () => void): SpotlightActionData[] {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const theme = useThemeToggle()
  const { scopes } = useWhoami()
  const canAddProject = useNewProjectReason() === null
  const allowed = creations.filter(
    ({ create, scope }) => scopes.includes(scope) && (create !== 'project' || canAddProject),
  )
  return [
    ...allowed.map(({ create, to, text, Icon }) => ({
      id: `create-${create}`,
      label: t(text),
      leftSection: <Icon size={16} />,
      ...(create === 'risk' && { rightSection: <Keys keys={frameKeys.create} /> }),
      onClick: () => void navigate({ to, search: { create } }),
    })),
    ...(allowed.length === 0
      ? []
      : [
          {
            id: 'import-file',
            label: t('palette.import'),
            leftSection: <IconUpload size={16} />,
            onClick: () => void navigate({ to: '/import', search: {} }),
          },
        ]),
    {
      id: 'theme',
      label: theme.name,
      leftSection: <theme.Icon size={16} />,
      onClick: theme.toggle,
    },
    {
      id: 'keyboard',
      label: t('keyboard.title'),
      leftSection: <IconHelpCircle size={16} />,
      rightSection: <Keys keys={frameKeys.help} />,
      onClick: onHelp,
    },
    {
      id: 'sign-out',
      label: t('shell.sign-out'),
      leftSection: <IconLogout size={16} />,
      onClick: () => void signOut(),
    },
  ]
}
