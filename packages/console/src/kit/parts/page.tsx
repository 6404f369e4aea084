import { useDocumentTitle } from '@mantine/hooks'
import { Children, isValidElement, type ReactNode } from 'react'

import { t } from '#text/index.ts'

import classes from './page.module.css'

interface PageProps {
  readonly title: string
  /** Shown beside the title, such as a reference or a badge. */
  readonly rightSection?: ReactNode
  /** Breadcrumb links, topmost first. */
  readonly breadcrumbs?: readonly ReactNode[]
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page with a bar and a body that scrolls. */
export function Page({ title, rightSection, breadcrumbs = [], actions, children }: PageProps) {
  useDocumentTitle(`${title} · Muster`)
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        {breadcrumbs.length > 0 && <Breadcrumbs links={breadcrumbs} />}
        <h1 className={classes.title} dir="auto">
          {title}
        </h1>
        {rightSection}
        {actions && <div className={`${classes.actions} no-print`}>{actions}</div>}
      </div>
      <div className={classes.scroller} data-scroll-restoration-id="page">
        <div className={classes.body}>{children}</div>
      </div>
    </div>
  )
}

function Breadcrumbs({ links }: { readonly links: readonly ReactNode[] }) {
  return (
    <nav aria-label={t('page.trail')} className={classes.breadcrumbs}>
      {Children.toArray(links).map((link) => (
        <span key={isValidElement(link) ? link.key : ''} className={classes.breadcrumb}>
          {link}
        </span>
      ))}
    </nav>
  )
}

interface SectionProps {
  readonly title: string
  readonly rightSection?: ReactNode
  readonly children: ReactNode
}

/** A section with a heading. Screen readers list it as a region. */
export function Section({ title, rightSection, children }: SectionProps) {
  return (
    <section aria-label={title} className={classes.section}>
      <div className={classes.sectionHead}>
        <h2 className={classes.sectionTitle}>{title}</h2>
        {rightSection}
      </div>
      {children}
    </section>
  )
}

interface EmptyProps {
  readonly title: string
  readonly advice: string
  readonly children?: ReactNode
}

export function EmptyState({ title, advice, children }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <p className={classes.emptyTitle}>{title}</p>
      <p className={classes.advice}>{advice}</p>
      {children}
    </div>
  )
}
