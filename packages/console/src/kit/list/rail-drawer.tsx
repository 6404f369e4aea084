import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'

import { t } from '#text/index.ts'

interface Props {
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The rail on narrow screens. */
export const RailDrawer = ({ onClose, children }: Props) => (
  <Drawer
    opened
    onClose={onClose}
    position="right"
    size={320}
    title={t('overview.title')}
    closeButtonProps={{ 'aria-label': t('dialog.close') }}
  >
    {children}
  </Drawer>
)
