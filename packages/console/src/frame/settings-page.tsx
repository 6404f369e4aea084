import { useDocumentTitle } from '@mantine/hooks'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { useWhoami } from '#data/whoami.ts'
import { t } from '#text/index.ts'

import { settingsItems } from './navigation.tsx'

import pageClasses from '#kit/parts/page.module.css'
import classes from './settings-page.module.css'

interface Props {
  readonly title: string
  readonly about?: string
  readonly actions?: ReactNode
  /** A list that fills the rest of the page and scrolls by itself, below `children`. */
  readonly list?: ReactNode
  readonly children?: ReactNode
}

/** A page of the settings, beside the links to the others. */
export function SettingsPage({ title, about, actions, list, children }: Props) {
  const { workspace } = useWhoami()
  useDocumentTitle(`${title} · ${t('settings.title')} · Muster`)
  return (
    <div className={pageClasses.page}>
      <div className={pageClasses.bar}>
        <span className={classes.name}>{t('settings.title')}</span>
        <span className={classes.workspace}>{workspace.name}</span>
      </div>
      <div className={classes.columns}>
        <SettingsLinks />
        <div
          className={list === undefined ? pageClasses.scroller : classes.fill}
          data-scroll-restoration-id="page"
          // A page without controls scrolls by keyboard too.
          {...(list === undefined && { tabIndex: 0 })}
        >
          <div className={classes.body} data-list={list !== undefined}>
            <div className={classes.head}>
              <h1 className={classes.title}>{title}</h1>
              {actions && <div className={`${classes.actions} no-print`}>{actions}</div>}
            </div>
            {about !== undefined && <p className={classes.about}>{about}</p>}
            {children}
          </div>
          {list}
        </div>
      </div>
    </div>
  )
}

interface LineProps {
  readonly name: string
  /** Why it matters, in one sentence. */
  readonly about?: string
  /** The value or the control. */
  readonly children: ReactNode
}

/** Lines of settings or facts. */
export const Lines = ({ children }: { readonly children: ReactNode }) => (
  <dl className={classes.lines}>{children}</dl>
)

/** What, why in one sentence, and the value or the control at the right. */
export const Line = ({ name, about, children }: LineProps) => (
  <div className={classes.line}>
    <dt>
      {name}
      {about !== undefined && <span className={classes.why}>{about}</span>}
    </dt>
    <dd>{children}</dd>
  </div>
)

function SettingsLinks() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <nav aria-label={t('settings.title')} className={`${classes.links} no-print`}>
      {settingsItems.map(({ to, text }) => (
        <Link
          key={to}
          to={to}
          search={{}}
          activeOptions={{ exact: true }}
          className={classes.link}
          {...(pathname === to && { 'aria-current': 'page' })}
        >
          {t(text)}
        </Link>
      ))}
    </nav>
  )
}
