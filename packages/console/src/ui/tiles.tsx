import { SimpleGrid, type SimpleGridProps, Text, UnstyledButton } from '@mantine/core'
import type { Level } from '@muster/contract'

import { formatNumber } from '#text/index.ts'

import type { Filters } from './filters.ts'

import classes from './tiles.module.css'

export interface Tile {
  readonly name: string
  /** The filter that a click sets. */
  readonly filter: Readonly<Record<string, string>>
  /** Undefined while loading. */
  readonly count: number | undefined
  /** Sets the colour. */
  readonly level?: Level
  /** Highlights a count above 0. */
  readonly isWarning?: boolean
}

interface Props {
  readonly label: string
  readonly tiles: readonly Tile[]
  readonly filters: Filters
  readonly cols: NonNullable<SimpleGridProps['cols']>
}

/** Counts as toggle buttons, each of which sets a filter. */
export function Tiles({ label, tiles, filters, cols }: Props) {
  return (
    <SimpleGrid cols={cols} spacing="sm" role="group" aria-label={label}>
      {tiles.map(({ name, filter, count, level, isWarning = false }) => (
        <UnstyledButton
          key={name}
          className={classes.tile}
          data-level={level}
          data-alarming={isWarning && (count ?? 0) > 0}
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
