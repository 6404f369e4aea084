import type { CSSProperties, ReactNode } from 'react'

import { formatNumber, t } from '#text/index.ts'

import { type Column, gridVariables } from './columns.ts'
import { handleHeadKey } from './keys.ts'
import { choiceOf, type ListSort, nextSort, reversed } from './sort.ts'

import classes from './list.module.css'

/** The first column, which holds the rank or the checkbox. It is wide enough for the last rank. */
const leadOf = (rowCount: number) => ({
  name: '#',
  width: `${Math.max(28, 4 + 8 * formatNumber(rowCount).length)}px`,
  cell: () => null,
})

interface Props<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  /** The items that are loaded, whose texts widen a column. */
  readonly items: readonly T[]
  /** The number of all rows, as far as it is known. */
  readonly rowCount: number
  /** Whether the rows start with their rank or a checkbox. */
  readonly hasLead?: boolean
  /** Makes the heads of the columns buttons, for a list that can be sorted. */
  readonly sort?: ListSort | undefined
  readonly children: ReactNode
}

/** The frame and the column heads of a list. */
export function Table<T>(props: Props<T>) {
  const { label, columns, items, rowCount, hasLead = true, sort, children } = props
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      className={classes.table}
      style={gridVariables(hasLead ? [leadOf(rowCount), ...columns] : columns, items)}
    >
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={classes.head} onKeyDown={handleHeadKey}>
          {hasLead && (
            <div role="columnheader" className={classes.lead}>
              <span aria-hidden>#</span>
              <span className={classes.hidden}>{t('list.rank')}</span>
            </div>
          )}
          {columns.map((column) => (
            <ColumnHead key={column.name} column={column} sort={sort} />
          ))}
        </div>
      </div>
      {children}
    </div>
  )
}

interface HeadProps<T> {
  readonly column: Column<T>
  readonly sort: ListSort | undefined
}

/** The name of a column; a button if the list can be sorted by it. */
function ColumnHead<T>({ column, sort }: HeadProps<T>) {
  const { name, from, isNameHidden = false, sort: first } = column
  const shown = <span {...(isNameHidden && { className: classes.hidden })}>{name}</span>
  if (first === undefined || sort === undefined || choiceOf(sort, first) === undefined) {
    return (
      <div role="columnheader" data-from={from}>
        {shown}
      </div>
    )
  }
  const direction = directionOf(column, sort)
  return (
    <div role="columnheader" data-from={from} {...(direction && { 'aria-sort': direction })}>
      <button
        type="button"
        tabIndex={-1}
        className={classes.sort}
        onClick={() => sort.choose(nextSort(sort, first))}
      >
        {shown}
        {direction && <span aria-hidden>{direction === 'descending' ? '↓' : '↑'}</span>}
      </button>
    </div>
  )
}

/** The direction in which the values of a column are sorted; null if they are not. */
function directionOf<T>({ sort: first = '', isSortReversed = false }: Column<T>, sort: ListSort) {
  if (sort.value !== first && sort.value !== reversed(first)) return null
  return sort.value.startsWith('-') === isSortReversed ? 'ascending' : 'descending'
}

export interface GroupHeadProps {
  readonly name: ReactNode
  /** The number of all items of the group; null if it is unknown. */
  readonly count: number | null
}

/** The head of a group of rows. */
export const GroupHead = ({
  name,
  count,
  style,
}: GroupHeadProps & { readonly style?: CSSProperties }) => (
  <div role="row" className={classes.group} style={style}>
    <div role="cell">
      {name} {count !== null && <span className={classes.count}>{formatNumber(count)}</span>}
    </div>
  </div>
)
