import { Button } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import {
  type UseInfiniteQueryOptions,
  type InfiniteData,
  useInfiniteQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { allItems, type ListResponse } from '#data/lists.ts'
import { useListOrder } from '#data/order.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { Bones } from '#kit/parts/bones.tsx'
import { t } from '#text/index.ts'

import { useLetterMoves } from './keys.ts'
import { type ListOptions, rowHandlers, rowOptions } from './list.tsx'
import { usePlace } from './place.ts'
import { type ListItem, Row } from './row.tsx'
import { GroupHead, type GroupHeadProps, Table } from './table.tsx'
import { WaitingRows } from './waiting-rows.tsx'

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
  /** The query whose counts make the groups. Without its data there are no groups, not none. */
  readonly source: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'>
  /** Below the groups, such as what they leave out. */
  readonly note?: ReactNode
}

/** A list in sections. A section loads when it comes into view, and more of it on request. */
export function GroupedList<T extends ListItem>(props: Props<T>) {
  const { label, columns, groups, source, empty, note } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [loaded, setLoaded] = useState<ReadonlyMap<string, readonly T[]>>(new Map())
  const addItems = useCallback(
    (key: string, some: readonly T[]) => setLoaded((before) => new Map([...before, [key, some]])),
    [],
  )
  const items = groups.flatMap(({ key }) => loaded.get(key) ?? [])
  useLetterMoves(scroller)
  useListOrder(
    groups.map(({ pages }) => pages),
    null,
  )
  usePlace({
    scroller,
    show: (id) =>
      scroller.current?.querySelector(`[data-row="${id}"]`)?.scrollIntoView({ block: 'center' }),
  })
  const rowCount = groups.reduce((sum, { count }) => sum + (count ?? 0), 0)
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-scroll-restoration-id="list"
      {...rowHandlers(props, items)}
    >
      <WaitingRows queryKeys={groups.map(({ pages }) => pages.queryKey)} scroller={scroller}>
        {groups.length === 0 ? (
          <NoGroups source={source}>{empty}</NoGroups>
        ) : (
          <Table
            label={label}
            columns={columns}
            items={items}
            rowCount={rowCount}
            sort={props.sort}
          >
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
      </WaitingRows>
      {note && <p className={classes.more}>{note}</p>}
    </div>
  )
}

interface NoGroupsProps {
  readonly source: Props<ListItem>['source']
  readonly children: ReactNode
}

function NoGroups({ source: { isPending, error, refetch }, children }: NoGroupsProps) {
  if (error) return <ProblemNotice error={error} onRetry={() => void refetch()} />
  return isPending ? <Bones /> : children
}

interface SectionProps<T extends ListItem> extends Props<T> {
  readonly group: ListGroup<T>
  readonly isFirst: boolean
  readonly focused: string | null
  readonly onFocus: (id: string) => void
  readonly onLoad: (key: string, items: readonly T[]) => void
}

function Section<T extends ListItem>(props: SectionProps<T>) {
  const { group, columns, isFirst, focused, onFocus, onLoad } = props
  const { ref, entry } = useIntersection({ rootMargin: '400px' })
  const isVisible = entry?.isIntersecting ?? false
  const query = useInfiniteQuery({ ...group.pages, enabled: isVisible })
  const items = useMemo(() => allItems(query.data), [query.data])
  useEffect(() => onLoad(group.key, items), [group.key, items, onLoad])
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
