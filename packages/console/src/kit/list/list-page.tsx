import { Button } from '@mantine/core'
import { useDocumentTitle, useLocalStorage } from '@mantine/hooks'
import { type ComponentProps, type ReactNode, useState } from 'react'

import { useShortcuts } from '#kit/keyboard/shortcuts.ts'
import { t } from '#text/index.ts'

import { DisplayMenu } from './display-menu.tsx'
import { type FilterField, FilterMenu } from './filter-menu.tsx'
import type { Filters } from './filters.ts'
import { Rail, useHasRail } from './rail.tsx'
import { type ListView, Views } from './views.tsx'

import classes from './list-page.module.css'

interface Props {
  readonly title: string
  /** Beside the title, such as the date. */
  readonly note?: string | null
  readonly actions?: ReactNode
  readonly views?: readonly ListView[]
  readonly filters: Filters
  readonly fields: readonly FilterField[]
  readonly display?: Omit<ComponentProps<typeof DisplayMenu>, 'isRailOpen' | 'onToggleRail'>
  /** Between the toolbar and the list, such as the ages of issues. */
  readonly strip?: ReactNode
  /** Beside the list. */
  readonly rail?: ReactNode
  /** What the rail shows, for the button that opens it on narrow screens. */
  readonly railName?: string
  /** The item that is open beside the list; it takes the place of the rail. */
  readonly peek?: ReactNode
  /** The list. */
  readonly children: ReactNode
}

/** A page whose main part is a list: the bar, the toolbar, the list and what stands beside it. */
export function ListPage(props: Props) {
  const { title, actions, views = [], filters, fields, display, strip, rail, peek } = props
  useDocumentTitle(`${title} · Muster`)
  const side = useRail()
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <h1>{title}</h1>
        {props.note && (
          <span className={classes.note} data-below={actions !== undefined}>
            {props.note}
          </span>
        )}
        <span className={classes.grow} />
        {actions}
      </header>
      <ListToolbar
        views={views}
        filters={filters}
        fields={fields}
        display={{
          ...display,
          ...(rail !== undefined && { isRailOpen: side.isOpen, onToggleRail: side.toggle }),
        }}
        {...(props.railName !== undefined && { railName: props.railName })}
      />
      {strip}
      <div className={classes.body}>
        {props.children}
        {peek ??
          (rail !== undefined && (
            <Rail isOpen={side.isOpen} onClose={side.toggle}>
              {rail}
            </Rail>
          ))}
      </div>
    </div>
  )
}

interface ToolbarProps extends Pick<Props, 'views' | 'filters' | 'fields' | 'railName'> {
  readonly display: ComponentProps<typeof DisplayMenu>
}

/** The views, the filters and the display of a list. */
export function ListToolbar(props: ToolbarProps) {
  const { views = [], filters, fields, display, railName = t('overview.title') } = props
  return (
    <div className={classes.toolbar}>
      {views.length > 0 && <Views views={views} />}
      {views.length > 0 && fields.length > 0 && <span className={classes.rule} />}
      {fields.length > 0 && <FilterMenu filters={filters} fields={fields} />}
      <span className={classes.grow} />
      {display.isRailOpen !== undefined && (
        <Button
          variant="subtle"
          color="gray"
          className={classes.railButton}
          aria-expanded={display.isRailOpen}
          onClick={display.onToggleRail}
        >
          {railName}
        </Button>
      )}
      <DisplayMenu {...display} />
    </div>
  )
}

/** Whether the rail is open: the choice of the user on wide screens, a drawer on narrow ones. */
function useRail() {
  const [choice, setChoice] = useLocalStorage({ key: 'muster.rail', defaultValue: 'open' })
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const isWide = useHasRail()
  const isOpen = isWide ? choice === 'open' : isDrawerOpen
  const toggle = () => (isWide ? setChoice(isOpen ? 'closed' : 'open') : setDrawerOpen(!isOpen))
  useShortcuts({ ']': toggle })
  return { isOpen, toggle }
}
