import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

import classes from './wide-page.module.css'

interface Props {
  readonly title: string
  /** Beside the title. */
  readonly note?: ReactNode
  readonly actions?: ReactNode
  /** Over the whole width, below the bar. */
  readonly strip?: ReactNode
  /** At the right; below the rest on narrow screens. */
  readonly side?: ReactNode
  readonly sideName: string
  readonly children: ReactNode
}

/** A page without margins: sections from edge to edge, and a panel beside them. */
export function WidePage({ title, note, actions, strip, side, sideName, children }: Props) {
  useDocumentTitle(`${title} · Muster`)
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <h1>{title}</h1>
        {note && <span className={classes.note}>{note}</span>}
        {actions && <div className={`${classes.actions} no-print`}>{actions}</div>}
      </header>
      <div className={classes.all} data-scroll-restoration-id="page">
        {strip}
        <div className={classes.columns}>
          <div className={classes.main} data-scroll-restoration-id="page-main">
            {children}
          </div>
          {side && (
            <aside
              className={classes.side}
              aria-label={sideName}
              data-scroll-restoration-id="page-side"
            >
              {side}
            </aside>
          )}
        </div>
      </div>
    </div>
  )
}
