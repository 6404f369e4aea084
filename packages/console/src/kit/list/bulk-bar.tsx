import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'

import { IconX } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

import type { Selection } from './selection.ts'

import classes from './list-page.module.css'

interface Props {
  readonly selection: Selection
  /** The actions for the selected items. */
  readonly children: ReactNode
}

/** What can be done with the selected rows. */
export function BulkBar({ selection, children }: Props) {
  if (selection.ids.size === 0) return null
  return (
    <div className={classes.bulk} role="toolbar" aria-label={t('list.selected.actions')}>
      <b role="status">{t('list.selected', { count: selection.ids.size })}</b>
      <span className={classes.rule} />
      {children}
      <ActionIcon aria-label={t('list.unselect')} onClick={selection.clear}>
        <IconX size={16} />
      </ActionIcon>
    </div>
  )
}
