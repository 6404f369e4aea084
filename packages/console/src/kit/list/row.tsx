import { memo, type ReactNode, useState } from 'react'

import { useMark } from '#data/marks.ts'
import { formatNumber, t } from '#text/index.ts'

import type { Column } from './columns.ts'
import type { Selection } from './selection.ts'

import classes from './list.module.css'

export interface ListItem {
  readonly id: string
}

/** What the rows of a list can do. All parts are optional. */
export interface RowOptions<T> {
  /** The name of an item, for the checkbox. Needed with `selection`. */
  readonly nameOf?: (item: T) => string
  readonly selection?: Selection | undefined
  /** The number at the start of a row; the position in the list by default. */
  readonly rankOf?: (item: T) => number
  /** False if the position has no meaning: no numbers, and without `selection` no first cell. */
  readonly hasRank?: boolean
  /** Buttons over the right end of the row that has the pointer or the focus. */
  readonly actions?: (item: T) => ReactNode
  /** The item that is open beside the list. */
  readonly peekedId?: string | null
}

interface Props<T extends ListItem> extends RowOptions<T> {
  readonly item: T
  readonly index: number
  /** The place among rows and heads, which measures rows; the index by default. */
  readonly place?: number
  readonly columns: readonly Column<T>[]
  /** Whether Tab reaches this row. */
  readonly isTabStop: boolean
  readonly onFocus: (id: string) => void
  /** The distance from the start of a virtual list. */
  readonly top?: number
  readonly height?: number | undefined
  readonly measure?: ((row: HTMLElement | null) => void) | undefined
}

function PlainRow<T extends ListItem>(props: Props<T>) {
  const { item, index, columns, isTabStop, onFocus, selection, actions, top, measure } = props
  const [isHot, setHot] = useState(false)
  const isChanged = useMark(item.id) !== null
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={item.id}
      data-index={props.place ?? index}
      data-picked={selection?.ids.has(item.id) ?? false}
      data-peeked={props.peekedId === item.id}
      data-changed={isChanged}
      tabIndex={isTabStop ? 0 : -1}
      ref={measure}
      className={classes.row}
      style={top === undefined ? undefined : styleOf(top, props.height)}
      onFocus={() => {
        onFocus(item.id)
        setHot(true)
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setHot(false)
      }}
      onMouseEnter={() => setHot(true)}
      onMouseLeave={({ currentTarget }) => setHot(currentTarget.contains(document.activeElement))}
    >
      {(selection || props.hasRank !== false) && <Lead {...props} />}
      {columns.map((column, at) => (
        <div
          key={column.name}
          role="cell"
          className={classes.cell}
          data-from={column.from}
          data-narrow={column.narrow}
          data-phone={column.phone}
        >
          {isChanged && at === 0 && <span className={classes.hidden}>{t('record.changed')}</span>}
          {column.cell(item)}
        </div>
      ))}
      {isHot && actions && (
        <div role="cell" className={classes.actions}>
          {actions(item)}
        </div>
      )}
    </div>
  )
}

const styleOf = (top: number, height: number | undefined) => ({
  transform: `translateY(${top}px)`,
  height,
})

/** One row of a list. Rendered again only if its own data changes. */
export const Row = memo(PlainRow) as typeof PlainRow

/** The rank, and the checkbox under the pointer or when selected. */
function Lead<T extends ListItem>(props: Props<T>) {
  const { item, index, selection, nameOf, rankOf, hasRank = true } = props
  return (
    <div role="cell" className={`${classes.cell} ${classes.lead}`}>
      {selection && (
        <input
          type="checkbox"
          className={classes.check}
          tabIndex={-1}
          aria-label={t('list.select', { name: nameOf?.(item) ?? '' })}
          checked={selection.ids.has(item.id)}
          onChange={() => selection.toggle(item.id)}
        />
      )}
      <span className={classes.rank}>{hasRank && formatNumber(rankOf?.(item) ?? index + 1)}</span>
    </div>
  )
}
