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
  /** The narrowest list that shows the column. */
  readonly from?: Width
  /** The place of the cell on a phone. Other cells are hidden there. */
  readonly phone?: 'lead' | 'title' | 'meta' | 'end'
  /** Screen readers read the name, but it is not shown. */
  readonly isNameHidden?: boolean
}

/** A grid for each width, as CSS variables. The style sheet chooses one by container queries. */
export function gridVariables<T>(columns: readonly Column<T>[]): CSSProperties {
  const entries = widths.map((width) => [
    `--cols-${width}`,
    columns
      .filter(({ from = 0 }) => from <= width)
      .map((column) => (width === 0 ? (column.narrow ?? column.width) : column.width))
      .join(' '),
  ])
  return Object.fromEntries(entries) as CSSProperties
}
