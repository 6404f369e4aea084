import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'

import { isMissingScope } from '#data/whoami.ts'
import { t } from '#text/index.ts'

import classes from './list-page.module.css'

interface RailProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

const RailDrawer = lazyRouteComponent(() => import('./rail-drawer.tsx'), 'RailDrawer')

/** Whether the screen is wide enough for a column beside a list. */
export const useHasRail = () => !useMediaQuery('(max-width: 68.75em)')

/** What stands beside a list: a column, or a drawer on narrow screens. */
export function Rail({ isOpen, onClose, children }: RailProps) {
  const isWide = useHasRail()
  if (isWide)
    return isOpen ? (
      <aside className={classes.rail} aria-label={t('overview.title')} data-rail>
        {children}
      </aside>
    ) : null
  return <Suspense>{isOpen && <RailDrawer onClose={onClose}>{children}</RailDrawer>}</Suspense>
}

interface SectionProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export const RailSection = ({ title, aside, children }: SectionProps) => (
  <section className={classes.section} aria-label={title}>
    <div className={classes.sectionHead}>
      <h2>{title}</h2>
      <div className={classes.aside}>{aside}</div>
    </div>
    {children}
  </section>
)

interface BucketProps {
  readonly icon: ReactNode
  readonly title: string
  /** The link to all of them, whose text is the number. */
  readonly all: ReactNode
  readonly children: ReactNode
}

/** Items that need the same remedy: the worst of them, and a link to all. */
export const Bucket = ({ icon, title, all, children }: BucketProps) => (
  <div className={classes.bucket} role="group" aria-label={title}>
    <div className={classes.bucketHead}>
      {icon}
      <span>{title}</span>
      {all}
    </div>
    {children}
  </div>
)

interface TodoProps {
  /** The link to the item. */
  readonly link: ReactNode
  readonly remedy: string
  /** The name of the button for screen readers: the remedy and the item. */
  readonly label: string
  readonly onClick: () => void
  /** Why it cannot be done; null if it can. */
  readonly reason: string | null
}

/** An item with its remedy. */
export const Todo = ({ link, remedy, label, onClick, reason }: TodoProps) => (
  <div className={classes.todo}>
    {link}
    {!isMissingScope(reason) && (
      <UnstyledButton
        className={classes.act}
        aria-label={label}
        title={reason ?? undefined}
        aria-disabled={reason !== null}
        onClick={() => reason === null && onClick()}
      >
        {remedy}
      </UnstyledButton>
    )}
  </div>
)
