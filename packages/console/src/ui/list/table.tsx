import type { CSSProperties, ReactNode } from 'react'

import { formatNumber, t } from '#text/index.ts'

import { type Column, gridVariables } from './columns.ts'

import classes from './list.module.css'

/** The width of the first column, which holds the rank or the checkbox. */
const lead = { name: '#', width: '28px', cell: () => null }

interface Props<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  /** The number of all rows, as far as it is known. */
  readonly rowCount: number
  /** Whether the rows start with their rank or a checkbox. */
  readonly hasLead?: boolean
  readonly children: ReactNode
}

/** The frame and the column heads of a list. */
export function Table<T>({ label, columns, rowCount, hasLead = true, children }: Props<T>) {
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      className={classes.table}
      style={gridVariables(hasLead ? [lead, ...columns] : columns)}
    >
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={classes.head}>
          {hasLead && (
            <div role="columnheader" className={classes.lead}>
              <span aria-hidden>#</span>
              <span className={classes.hidden}>{t('list.rank')}</span>
            </div>
          )}
          {columns.map(({ name, from, isNameHidden = false }) => (
            <div key={name} role="columnheader" data-from={from}>
              <span {...(isNameHidden && { className: classes.hidden })}>{name}</span>
            </div>
          ))}
        </div>
      </div>
      {children}
    </div>
  )
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

/** Rows of the right height while the first page loads. */
export function Bones({ count = 12 }: { readonly count?: number }) {
  return (
    <div role="status" aria-label={t('page.loading')}>
      {Array.from({ length: count }, (_, index) => (
        <div
          key={index}
          className={classes.bone}
          style={{ width: `${70 - ((index * 7) % 40)}%` }}
        />
      ))}
    </div>
  )
}
