import type { ReactNode } from 'react'

import classes from './list.module.css'

interface Props {
  /** The link to the record. */
  readonly children: ReactNode
  /** Flags at the right edge. */
  readonly end?: ReactNode
}

/** The title of an item in a row. */
export const Title = ({ children, end }: Props) => (
  <span className={classes.title}>
    {children}
    {end && <span className={classes.end}>{end}</span>}
  </span>
)
