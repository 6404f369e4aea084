import { Button } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import {
  type UseInfiniteQueryOptions,
  type InfiniteData,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { allItems, type ListResponse } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { ProblemNotice } from '#ui/problem.tsx'

import { useLetterMoves } from './keys.ts'
import { type ListOptions, rowHandlers, rowOptions } from './list.tsx'
import { type ListItem, Row } from './row.tsx'
import { Bones, GroupHead, type GroupHeadProps, Table } from './table.tsx'

import classes from './list.module.css'

export type PagedQuery<T> = UseInfiniteQueryOptions<
  ListResponse<T>,
  Error,
  InfiniteData<ListResponse<T>>,
  unknown[],
  string | null
>

export interface ListGroup<T> extends GroupHeadProps {
  readonly key: string
  readonly pages: PagedQuery<T>
}

interface Props<T extends ListItem> extends ListOptions<T> {
  readonly groups: readonly ListGroup<T>[]
  /** Below the groups, such as what they leave out. */
  readonly note?: ReactNode
}

/** A list in sections. A section loads when it comes into view, and more of it on request. */
export function GroupedList<T extends ListItem>(props: Props<T>) {
  const { label, columns, groups, empty, note } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [items, setItems] = useState<ReadonlyMap<string, T>>(new Map())
  const addItems = useCallback(
    (loaded: readonly T[]) =>
      setItems((before) => new Map([...before, ...loaded.map((item) => [item.id, item] as const)])),
    [],
  )
  useLetterMoves(scroller)
  const rowCount = groups.reduce((sum, { count }) => sum + (count ?? 0), 0)
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-scroll-restoration-id="list"
      {...rowHandlers(props, [...items.values()])}
    >
      {groups.length === 0 ? (
        empty
      ) : (
        <Table label={label} columns={columns} rowCount={rowCount}>
          {groups.map((group, at) => (
            <Section
              key={group.key}
              {...props}
              group={group}
              isFirst={at === 0}
              focused={focused}
              onFocus={setFocused}
              onLoad={addItems}
            />
          ))}
        </Table>
      )}
      {note && <p className={classes.more}>{note}</p>}
    </div>
  )
}

interface SectionProps<T extends ListItem> extends Props<T> {
  readonly group: ListGroup<T>
  readonly isFirst: boolean
  readonly focused: string | null
  readonly onFocus: (id: string) => void
  readonly onLoad: (items: readonly T[]) => void
}

function Section<T extends ListItem>(props: SectionProps<T>) {
  const { group, columns, isFirst, focused, onFocus, onLoad } = props
  const { ref, entry } = useIntersection({ rootMargin: '400px' })
  const isVisible = entry?.isIntersecting ?? false
  const query = useInfiniteQuery({ ...group.pages, enabled: isVisible })
  const items = useMemo(() => allItems(query.data), [query.data])
  useEffect(() => onLoad(items), [items, onLoad])
  return (
    <div role="rowgroup" ref={ref} className={classes.body}>
      <GroupHead name={group.name} count={group.count} />
      {items.map((item, index) => (
        <Row
          key={item.id}
          {...rowOptions(props)}
          item={item}
          index={index}
          columns={columns}
          isTabStop={focused === null ? isFirst && index === 0 : focused === item.id}
          onFocus={onFocus}
        />
      ))}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isLoading && <Bones />}
      {query.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="subtle"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('list.more')}
          </Button>
        </div>
      )}
    </div>
  )
}
