import { SimpleGrid, type SimpleGridProps, Text, UnstyledButton } from '@mantine/core'
import type { Level } from '@muster/contract'

import { formatNumber } from '#text/index.ts'

import type { Filters } from './filters.ts'

import classes from './tiles.module.css'

export interface Tile {
  readonly name: string
  /** What a click narrows the page to. */
  readonly filter: Readonly<Record<string, string>>
  /** Not known yet while it is undefined. */
  readonly count: number | undefined
  /** Whose colour it has. */
  readonly level?: Level
  /** Whether any of them is one too many. */
  readonly isCare?: boolean
}

interface Props {
  readonly label: string
  readonly tiles: readonly Tile[]
  readonly filters: Filters
  readonly cols: NonNullable<SimpleGridProps['cols']>
}

/** How many there are of each; a click narrows the page to it, and another takes that away. */
export function Tiles({ label, tiles, filters, cols }: Props) {
  return (
    <SimpleGrid cols={cols} spacing="sm" role="group" aria-label={label}>
      {tiles.map(({ name, filter, count, level, isCare = false }) => (
        <UnstyledButton
          key={name}
          className={classes.tile}
          data-level={level}
          data-alarming={isCare && (count ?? 0) > 0}
          aria-pressed={filters.isSet(filter)}
          onClick={() => filters.toggle(filter)}
        >
          <Text span size="sm" display="block">
            {name}
          </Text>
          <Text span fz={30} fw={700} lh={1.1} className="number">
            {count === undefined ? '…' : formatNumber(count)}
          </Text>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  )
}
