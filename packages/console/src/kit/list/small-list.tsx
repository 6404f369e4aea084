import type { ReactNode } from 'react'

import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { Bones } from '#kit/parts/bones.tsx'

import type { Column } from './columns.ts'
import { Table } from './table.tsx'

import classes from './list.module.css'

interface Props<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  /** Undefined while loading. */
  readonly items: readonly T[] | undefined
  /** The error of the request; null if there is none. */
  readonly error: unknown
  readonly idOf: (item: T) => string
  readonly empty: ReactNode
}

/** A list of a few rows in a section, with its loading, error and empty states. */
export function SmallList<T>({ label, columns, items, error, idOf, empty }: Props<T>) {
  if (items === undefined)
    return error === null ? <Bones count={2} /> : <ProblemNotice error={error} />
  if (items.length === 0) return empty
  return (
    <div className={classes.small}>
      <Table label={label} columns={columns} items={items} rowCount={items.length} hasLead={false}>
        <div role="rowgroup">
          {items.map((item) => (
            <div key={idOf(item)} role="row" className={classes.row}>
              {columns.map(({ name, from, phone, cell }) => (
                <div
                  key={name}
                  role="cell"
                  className={classes.cell}
                  data-from={from}
                  data-phone={phone}
                >
                  {cell(item)}
                </div>
              ))}
            </div>
          ))}
        </div>
      </Table>
    </div>
  )
}
