import { ActionIcon } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

import { isMissingScope } from '#data/whoami.ts'
import { IconDots } from '#kit/icons/index.tsx'
import { FirstUse } from '#kit/keyboard/first-use.tsx'
import { useRecordActions } from '#kit/parts/record-actions.tsx'
import { t } from '#text/index.ts'

const ActionDropdown = lazyRouteComponent(() => import('./action-dropdown.tsx'), 'ActionDropdown')

export interface MenuAction {
  readonly name: string
  readonly onClick?: () => void
  /** A page outside the console, instead of `onClick`. */
  readonly href?: string
  /** Why it cannot be done; null if it can. Leave out what is impossible now. */
  readonly reason?: string | null
  /** Destructive actions come last, in red. */
  readonly isDanger?: boolean
}

export interface ActionMenuProps {
  /** The name of the record. */
  readonly of: string
  /** Groups of actions, with a line between them. */
  readonly groups: readonly (readonly MenuAction[])[]
}

/** The ⋯ menu of a record, with the actions for which the user has the scope. */
export function ActionMenu({ of, groups }: ActionMenuProps) {
  const shown = groups
    .map((group) => group.filter(({ reason = null }) => !isMissingScope(reason)))
    .filter((group) => group.length > 0)
  useRecordActions(shown.flat().flatMap(actionOf), true)
  if (shown.length === 0) return null
  return (
    <FirstUse
      load={() => void ActionDropdown.preload?.()}
      button={(handlers) => <DotsButton of={of} {...handlers} />}
    >
      <ActionDropdown of={of} groups={shown} />
    </FirstUse>
  )
}

/** None if it cannot be done, or is a link. */
const actionOf = ({ name, onClick, reason = null, isDanger }: MenuAction) =>
  onClick === undefined || reason !== null ? [] : [{ name, onClick, isDanger }]

interface DotsProps extends Omit<ComponentProps<'button'>, 'color' | 'style' | 'disabled'> {
  readonly of: string
}

export function DotsButton({ of, ...props }: DotsProps) {
  const name = t('record.menu', { name: of })
  return (
    <ActionIcon aria-label={name} title={name} aria-haspopup="menu" data-shortcut="." {...props}>
      <IconDots size={16} />
    </ActionIcon>
  )
}
