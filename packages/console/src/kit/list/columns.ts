import type { CSSProperties, ReactNode } from 'react'

/** The widths of a list, in pixels, at which columns appear. */
const widths = [0, 620, 820, 1100] as const
type Width = (typeof widths)[number]

export interface Column<T> {
  readonly name: string
  /** The width in a CSS grid. */
  readonly width: string
  /** The width in lists under 620 pixels, where a person is shown without the name. */
  readonly narrow?: string
  readonly cell: (item: T) => ReactNode
  /** A text that is never cut: the column is at least as wide as the longest. */
  readonly fit?: (item: T) => string
  /** The narrowest list that shows the column. */
  readonly from?: Width
  /** The place of the cell on a phone. Other cells are hidden there. */
  readonly phone?: 'lead' | 'title' | 'meta' | 'end'
  /** Screen readers read the name, but it is not shown. */
  readonly isNameHidden?: boolean
  /** The order that the head of the column gives first, such as `-score`. */
  readonly sort?: string
  /** The values of the column run against that order, as ages run against opening times. */
  readonly isSortReversed?: boolean
}

/** The reference of an item, for a column. */
export const refOf = ({ ref }: { readonly ref: string }) => ref

/** A grid for each width, as CSS variables. The style sheet chooses one by container queries. */
export function gridVariables<T>(
  columns: readonly Column<T>[],
  items: readonly T[] = [],
): CSSProperties {
  const fitted = columns.map(({ fit, ...column }) =>
    fit === undefined
      ? column
      : { ...column, width: `max(${column.width}, ${widthOfLongest(items.map(fit))}px)` },
  )
  const entries = widths.map((width) => [
    `--cols-${width}`,
    fitted
      .filter(({ from = 0 }) => from <= width)
      .map((column) => (width === 0 ? (column.narrow ?? column.width) : column.width))
      .join(' '),
  ])
  return Object.fromEntries(entries) as CSSProperties
}

/** Enough for capitals, digits and hyphens at 13 px. Every row has a grid of its own. */
const widthOfLongest = (texts: readonly string[]) =>
  texts.reduce((longest, text) => Math.max(longest, widthOf(text)), 0)

const widthOf = (text: string) => 9 * text.length + 4 * (text.match(/[MW]/g)?.length ?? 0)
