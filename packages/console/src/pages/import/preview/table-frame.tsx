import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './preview.module.css'

interface Props {
  readonly label: string
  /** Shows a row as lines on a phone. Its parts need their roles then. */
  readonly isStacked?: boolean
  readonly children: ReactNode
}

/** An export has many columns, so the table scrolls horizontally, also by keyboard. */
export const TableFrame = ({ label, isStacked = false, children }: Props) => (
  <Table.ScrollContainer
    type="native"
    minWidth={0}
    className={classes.scroll}
    role="region"
    aria-label={label}
    tabIndex={0}
  >
    <Table role="table" aria-label={label} data-stacked={isStacked} horizontalSpacing="md">
      {children}
    </Table>
  </Table.ScrollContainer>
)
