import { ActionIcon, Tooltip } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

import { IconArrowsDiagonal, IconX } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

import classes from './list-page.module.css'

interface Props {
  /** The kind of the item, such as “Risk”. */
  readonly title: string
  readonly onOpen: () => void
  readonly onClose: () => void
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** An item in short, beside its list. Escape closes it. */
export function Peek({ title, onOpen, onClose, foot, children }: Props) {
  useEffect(() => {
    const listen = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector('[role=dialog]'))
        onClose()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [onClose])
  return (
    <aside className={classes.peek} aria-label={title}>
      <div className={classes.peekHead}>
        <span>{title}</span>
        <span className={classes.grow} />
        <Tooltip label={t('peek.open')}>
          <ActionIcon aria-label={t('peek.open')} onClick={onOpen}>
            <IconArrowsDiagonal size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('peek.close')}>
          <ActionIcon aria-label={t('peek.close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes.peekBody}>{children}</div>
      {foot && <div className={classes.peekFoot}>{foot}</div>}
    </aside>
  )
}

interface HeadProps {
  /** Above the title: the reference and a chip. */
  readonly over: ReactNode
  readonly title: string
  readonly description: string | null
}

/** What the item is, at the top of its peek. */
export const PeekTitle = ({ over, title, description }: HeadProps) => (
  <>
    <div className={classes.peekOver}>{over}</div>
    <h2 className={classes.peekTitle} dir="auto">
      {title}
    </h2>
    {description !== null && <p className={classes.peekText}>{description}</p>}
  </>
)
