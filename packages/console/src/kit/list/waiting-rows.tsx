import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { QueryKey } from '@tanstack/react-query'
import type { MouseEvent, ReactNode, RefObject } from 'react'

import { useWaitingRows } from '#data/live-lists.ts'
import { t } from '#text/index.ts'

import classes from './list.module.css'

interface Props {
  /** The queries of the list. */
  readonly queryKeys: readonly QueryKey[]
  readonly scroller: RefObject<HTMLElement | null>
  /** The list. */
  readonly children: ReactNode
}

/**
 * Says over a list how many rows others have added, removed or moved, and shows them on request. It
 * floats over the column heads, and on a phone over the end of the list, so that it moves no row.
 */
export function WaitingRows({ queryKeys, scroller, children }: Props) {
  const { count, show } = useWaitingRows(queryKeys)
  const isPhone = useMediaQuery('(max-width: 40em)')
  const onClick = ({ detail }: MouseEvent) => {
    show()
    // The button that has the focus of the keyboard disappears.
    const row = scroller.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')
    if (detail === 0) row?.focus()
  }
  const bar = (
    <div aria-live="polite" className={classes.waiting}>
      {count > 0 && (
        <Button size="compact-sm" className={classes.show} onClick={onClick}>
          {t('list.waiting', { count })}
        </Button>
      )}
    </div>
  )
  return (
    <>
      {!isPhone && bar}
      {children}
      {isPhone && bar}
    </>
  )
}
