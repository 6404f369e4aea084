import { useDocumentTitle } from '@mantine/hooks'
import { Fragment, type ReactNode } from 'react'

import { IconChevronRight } from '#kit/icons/index.tsx'
import { type Crumb, CrumbLink } from '#kit/parts/links.tsx'
import { RecordActions, RecordName } from '#kit/parts/record-actions.tsx'
import { t } from '#text/index.ts'

import { ChangedNote } from './changed-note.tsx'
import { useRecordMark } from './record-mark.ts'

import classes from './record.module.css'

interface PageProps {
  /** The title of the document. */
  readonly title: string
  /** The pages above, topmost first. */
  readonly crumbs: readonly Crumb[]
  /** The last part of the trail: the reference or the name. */
  readonly name: string
  /** The place of the record in its list. */
  readonly neighbours?: ReactNode
  /** The ⋯ menu and the one primary action. */
  readonly actions?: ReactNode
  /** The properties, at the right. */
  readonly properties: ReactNode
  /** A list that fills the rest of the page and scrolls by itself, below `children`. */
  readonly list?: ReactNode
  /** Floats over the page, such as the actions for selected rows. */
  readonly floating?: ReactNode
  readonly children: ReactNode
}

/** The template of every record: what it is at the left, its properties at the right. */
export function RecordPage(props: PageProps) {
  const { title, crumbs, name, neighbours, actions, properties, list, floating, children } = props
  useDocumentTitle(`${title} · Muster`)
  return (
    <RecordName value={name}>
      <div className={classes.page}>
        <header className={classes.bar}>
          <nav aria-label={t('page.trail')} className={classes.crumbs}>
            {crumbs.map((crumb) => (
              <Fragment key={crumb.to}>
                <CrumbLink {...crumb} />
                <IconChevronRight size={14} />
              </Fragment>
            ))}
            <b aria-current="page">{name}</b>
          </nav>
          {neighbours}
          <RecordActions place="primary">{actions}</RecordActions>
        </header>
        <ChangedNote />
        <div className={classes.record} data-scroll-restoration-id="record">
          <div
            className={classes.main}
            data-list={list !== undefined}
            data-scroll-restoration-id="record-main"
            tabIndex={-1}
          >
            <div className={classes.inner}>{children}</div>
            {list}
          </div>
          <aside className={classes.props} aria-label={t('record.properties')}>
            <RecordActions place="property">{properties}</RecordActions>
          </aside>
        </div>
        {floating}
      </div>
    </RecordName>
  )
}

interface HeadProps {
  /** Above the title: the reference, the score and its change. */
  readonly over?: ReactNode
  readonly title: string
  readonly description?: string | null
  /** The most important properties, shown below the title on narrow screens. */
  readonly facts?: ReactNode
}

export function RecordHead({ over, title, description, facts }: HeadProps) {
  const changed = useRecordMark()
  const isTextChanged = changed?.has('description') ?? false
  return (
    <>
      {over && <div className={classes.over}>{over}</div>}
      <h1 className={classes.title} dir="auto" data-changed={changed?.has('title') ?? false}>
        {title}
      </h1>
      {facts && <div className={classes.facts}>{facts}</div>}
      {description === null && (
        <p className={`${classes.prose} ${classes.empty}`} data-changed={isTextChanged}>
          {t('record.no-description')}
        </p>
      )}
      {typeof description === 'string' && (
        <p className={classes.prose} data-changed={isTextChanged}>
          {description}
        </p>
      )}
    </>
  )
}

interface SectionProps {
  readonly title: string
  /** A count or a short text beside the title. */
  readonly aside?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const RecordSection = ({ title, aside, actions, children }: SectionProps) => (
  <section className={classes.section} aria-label={title}>
    <div className={classes.sectionHead}>
      <h2>{title}</h2>
      <span className={classes.aside}>{aside}</span>
      <span className={classes.actions}>
        <RecordActions place="section">{actions}</RecordActions>
      </span>
    </div>
    {children}
  </section>
)

interface NoticeProps {
  readonly kind?: 'alarm' | 'plain'
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** A fact that needs attention, with its remedy. That of an alarm is an action of the record too. */
export const RecordNotice = ({ kind = 'plain', children, action }: NoticeProps) => (
  <div className={classes.notice} data-kind={kind} role="note">
    <span>{children}</span>
    {kind === 'alarm' ? action : <RecordActions place="notice">{action}</RecordActions>}
  </div>
)

interface MiniRowProps {
  readonly glyph: ReactNode
  readonly itemRef: string
  /** The link to the item. */
  readonly title: ReactNode
  readonly status: ReactNode
  readonly person: ReactNode
  readonly when: ReactNode
  readonly isDone?: boolean
}

/** A related item on one line: a treatment, an issue, a task. */
export const MiniRow = (props: MiniRowProps) => (
  <li className={classes.mini} data-done={props.isDone ?? false}>
    <span>{props.glyph}</span>
    <span data-wide>{props.itemRef}</span>
    <span>{props.title}</span>
    <span data-wide>{props.status}</span>
    <span data-wide>{props.person}</span>
    <span>{props.when}</span>
  </li>
)

/** The text of a section without items. */
export const RecordEmpty = ({ children }: { readonly children: ReactNode }) => (
  <p className={classes.none}>{children}</p>
)
