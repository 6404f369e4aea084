import { Button, type ButtonProps } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

import { IconAdjustments } from '#kit/icons/index.tsx'
import { FirstUse } from '#kit/keyboard/first-use.tsx'
import { t } from '#text/index.ts'

import type { ListSort } from './sort.ts'

const DisplayDropdown = lazyRouteComponent(
  () => import('./display-dropdown.tsx'),
  'DisplayDropdown',
)

interface Choice {
  readonly value: string
  readonly label: string
}

export interface DisplayProps {
  /** The fields by which the list can be grouped. */
  readonly groupings?: readonly Choice[]
  /** The name of the list without a chosen group. */
  readonly noGroup?: string
  readonly sort?: ListSort
  /** Whether the side panel is open; undefined if there is none. */
  readonly isRailOpen?: boolean | undefined
  readonly onToggleRail?: () => void
  /** The page that shows every row for printing, with the current filters. */
  readonly printPath?: string
}

/** How the list is shown: its groups, its order, the side panel and printing. */
export function DisplayMenu(props: DisplayProps) {
  const { groupings = [], sort, isRailOpen, printPath } = props
  const hasEntries =
    groupings.length > 0 || [sort, isRailOpen, printPath].some((part) => part !== undefined)
  if (!hasEntries) return null
  return (
    <FirstUse
      load={() => void DisplayDropdown.preload?.()}
      button={(handlers) => <DisplayButton {...handlers} />}
    >
      <DisplayDropdown {...props} />
    </FirstUse>
  )
}

export const DisplayButton = (props: ButtonProps & ComponentProps<'button'>) => (
  <Button
    variant="subtle"
    color="gray"
    aria-haspopup="menu"
    leftSection={<IconAdjustments size={16} />}
    {...props}
  >
    {t('list.display')}
  </Button>
)
