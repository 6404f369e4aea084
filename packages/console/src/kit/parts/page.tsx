import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

import { t } from '#text/index.ts'

import { type Crumb, CrumbLink } from './links.tsx'

import classes from './page.module.css'

interface PageProps {
  readonly title: string
  /** Shown beside the title, such as a reference or a badge. */
  readonly rightSection?: ReactNode
  /** The pages above, topmost first. */
  readonly crumbs?: readonly Crumb[]
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page with a bar and a body that scrolls. */
export function Page({ title, rightSection, crumbs = [], actions, children }: PageProps) {
  useDocumentTitle(`${title} · Muster`)
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        {crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} />}
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

const Breadcrumbs = ({ crumbs }: { readonly crumbs: readonly Crumb[] }) => (
  <nav aria-label={t('page.trail')} className={classes.breadcrumbs}>
    {crumbs.map((crumb) => (
      <span key={crumb.to} className={classes.breadcrumb}>
        <CrumbLink {...crumb} />
      </span>
    ))}
  </nav>
)

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
