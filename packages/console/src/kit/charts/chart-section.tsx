import { ActionIcon, Table, Tooltip } from '@mantine/core'
import { useState, type ReactNode } from 'react'

import { IconTable } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

import classes from './charts.module.css'

interface ChartTable {
  readonly head: readonly string[]
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly string[])[]
}

interface Props {
  readonly title: string
  readonly note?: ReactNode
  /** Controls of the chart. */
  readonly aside?: ReactNode
  /** The same figures as a table; null while there are none. */
  readonly table: ChartTable | null
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A chart with its heading. A button shows its figures as a table in the same place. */
export function ChartSection({ title, note, aside, table, className, children }: Props) {
  const [isTable, setIsTable] = useState(false)
  return (
    <section aria-label={title} className={className}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {note && <span>{note}</span>}
        <div className={classes.aside}>
          {aside}
          {table && (
            <Tooltip label={t('chart.table')}>
              <ActionIcon
                variant={isTable ? 'light' : 'subtle'}
                color="gray"
                aria-label={t('chart.table')}
                aria-pressed={isTable}
                data-shortcut="t"
                onClick={() => setIsTable(!isTable)}
              >
                <IconTable size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      </div>
      {isTable && table ? <Figures title={title} {...table} /> : children}
    </section>
  )
}

const Figures = ({ title, head, rows }: ChartTable & Pick<Props, 'title'>) => (
  <Table.ScrollContainer
    type="native"
    minWidth={0}
    className={classes.table}
    role="region"
    aria-label={title}
    tabIndex={0}
  >
    <table aria-label={title}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = '', ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              <td key={head[at + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Table.ScrollContainer>
)
