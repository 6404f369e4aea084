import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import { formatNumber, t } from '#text/index.ts'

import { type ListOptions, rowHandlers, rowOptions } from './list.tsx'
import { type ListItem, Row } from './row.tsx'
import { Table } from './table.tsx'

import classes from './list.module.css'

export interface ListSection<T> {
  readonly key: string
  readonly name: ReactNode
  readonly items: readonly T[]
}

interface Props<T extends ListItem> extends ListOptions<T> {
  readonly sections: readonly ListSection<T>[]
}

/**
 * Sections of items that are loaded already. It scrolls with the page around it, which has its own
 * `j` and `k`; on a row they move in the list.
 */
export function SectionedList<T extends ListItem>(props: Props<T>) {
  const { label, columns, sections, empty } = props
  const [focused, setFocused] = useState<string | null>(null)
  const items = sections.flatMap((section) => section.items)
  const tabStop = items.some(({ id }) => id === focused) ? focused : items[0]?.id
  if (items.length === 0) return empty
  return (
    <div {...rowHandlers(props, items)}>
      <Table label={label} columns={columns} items={items} rowCount={items.length}>
        {sections
          .filter((section) => section.items.length > 0)
          .map((section) => (
            <Section
              key={section.key}
              {...props}
              section={section}
              offset={items.indexOf(section.items[0] as T)}
              tabStop={tabStop}
              onFocus={setFocused}
            />
          ))}
      </Table>
    </div>
  )
}

/** Further rows of a section are shown on request. */
const shownMax = 50

interface SectionProps<T extends ListItem> extends Props<T> {
  readonly section: ListSection<T>
  /** The number of rows in the sections before. */
  readonly offset: number
  readonly tabStop: string | null | undefined
  readonly onFocus: (id: string) => void
}

function Section<T extends ListItem>(props: SectionProps<T>) {
  const { section, columns, offset, tabStop, onFocus } = props
  const [isLong, setLong] = useState(false)
  const shown = isLong ? section.items : section.items.slice(0, shownMax)
  return (
    <div role="rowgroup" className={classes.body}>
      <div role="row" className={classes.group}>
        <div role="cell">
          {section.name} <span className={classes.count}>{formatNumber(section.items.length)}</span>
        </div>
      </div>
      {shown.map((item, index) => (
        <Row
          key={item.id}
          {...rowOptions(props)}
          item={item}
          index={offset + index}
          columns={columns}
          isTabStop={tabStop === item.id}
          onFocus={onFocus}
        />
      ))}
      {shown.length < section.items.length && (
        <div className={classes.more}>
          <Button variant="subtle" onClick={() => setLong(true)}>
            {t('list.more')}
          </Button>
        </div>
      )}
    </div>
  )
}
