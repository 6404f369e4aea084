import { useMediaQuery } from '@mantine/hooks'
import type { QueryKey, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'

import { allItems, type Pages } from '#data/lists.ts'
import { type OrderSource, useListOrder } from '#data/order.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { Bones } from '#kit/parts/bones.tsx'

import type { Column } from './columns.ts'
import { handleRowKey, type RowKeys, useLetterMoves } from './keys.ts'
import { usePlace } from './place.ts'
import { type ListItem, Row, type RowOptions } from './row.tsx'
import type { ListSort } from './sort.ts'
import { GroupHead, type GroupHeadProps, Table } from './table.tsx'
import { WaitingRows } from './waiting-rows.tsx'

import classes from './list.module.css'

export interface ListOptions<T extends ListItem> extends RowOptions<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  /** Shows an item beside the list. */
  readonly onPeek?: ((item: T) => void) | undefined
  /** Opens the page of an item. */
  readonly onOpen?: ((item: T) => void) | undefined
  readonly empty: ReactNode
  readonly rowHeight?: number
  /** The order of the list, if it can be chosen. */
  readonly sort?: ListSort
}

interface Props<T extends ListItem> extends ListOptions<T> {
  readonly query: UseInfiniteQueryResult<Pages<T>>
  /** The options of the query, if records of the list have a next and a previous one. */
  readonly source?: OrderSource
  /** The key of the query, if others do not move the rows; by default that of `source`. */
  readonly queryKey?: QueryKey | undefined
  /** The number of all items; null if it is unknown. */
  readonly total: number | null
  /**
   * The group of an item. Its head is above the first item of each group; the items of a group must
   * follow each other in the order of the list.
   */
  readonly groupOf?: ((item: T) => RowGroup) | undefined
}

export interface RowGroup extends GroupHeadProps {
  readonly key: string
}

/** A row, or the head of the group that starts with the next row. */
type Entry<T> = { readonly item: T; readonly index: number } | { readonly head: RowGroup }

function withHeads<T extends ListItem>(
  items: readonly T[],
  groupOf: Props<T>['groupOf'],
): readonly Entry<T>[] {
  let last: string | null = null
  return items.flatMap((item, index): readonly Entry<T>[] => {
    const head = groupOf?.(item)
    if (head === undefined || head.key === last) return [{ item, index }]
    last = head.key
    return [{ head }, { item, index }]
  })
}

const headHeight = 32

/** A list of any length, with its loading, error and empty states. */
export function List<T extends ListItem>(props: Props<T>) {
  const { query, empty, source, total, queryKey = source?.queryKey } = props
  const items = useMemo(() => allItems(query.data), [query.data])
  const scroller = useRef<HTMLDivElement>(null)
  useLetterMoves(scroller)
  useListOrder(source && !query.isPlaceholderData ? [source] : [], total)
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-scroll-restoration-id="list"
      {...rowHandlers(props, items)}
    >
      <WaitingRows queryKeys={queryKey ? [queryKey] : []} scroller={scroller}>
        {items.length > 0 && <Rows {...props} items={items} scroller={scroller} />}
        {query.isPending && <Bones />}
        {query.isError && (
          <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
        )}
        {items.length === 0 && query.isSuccess && empty}
      </WaitingRows>
    </div>
  )
}

/** Clicks and keys on rows. A click on a link or button of a row is left alone. */
export function rowHandlers<T extends ListItem>(options: ListOptions<T>, items: readonly T[]) {
  const withItem = (handle: ((item: T) => void) | undefined) =>
    handle &&
    ((id: string) => {
      const item = items.find((each) => each.id === id)
      if (item) handle(item)
    })
  const { selection, onPeek, onOpen, peekedId } = options
  const keys: RowKeys = {
    onPeek: withItem(onPeek),
    onOpen: withItem(onOpen),
    onSelect: selection?.toggle,
    onSelectTo:
      selection &&
      ((id) =>
        selection.extend(
          id,
          items.map((each) => each.id),
        )),
  }
  return {
    onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => handleRowKey(event, keys),
    // The open item follows the focus, so that the arrow keys go through the items.
    onFocus: ({ target }: React.FocusEvent<HTMLElement>) => {
      const id = target.dataset['row']
      if (typeof peekedId === 'string' && id !== undefined && id !== peekedId) keys.onPeek?.(id)
    },
    onClick: ({ target, ctrlKey, metaKey }: MouseEvent) => {
      if (ctrlKey || metaKey || (target as HTMLElement).closest('a, button, input, label')) return
      const id = (target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset['row']
      if (id !== undefined) (keys.onPeek ?? keys.onOpen)?.(id)
    },
  }
}

interface RowsProps<T extends ListItem> extends Props<T> {
  readonly items: readonly T[]
  readonly scroller: React.RefObject<HTMLDivElement | null>
}

/** Virtualised rows: only visible rows are in the DOM, and further pages load on scroll. */
function Rows<T extends ListItem>(props: RowsProps<T>) {
  const { label, columns, query, total, items, scroller, groupOf, rowHeight = 36 } = props
  const isPhone = useMediaQuery('(max-width: 40em)')
  const [focused, setFocused] = useState<string | null>(null)
  const entries = useMemo(() => withHeads(items, groupOf), [items, groupOf])
  const sizeOf = (entry: Entry<T> | undefined) =>
    entry && 'head' in entry ? headHeight : isPhone ? 62 : rowHeight
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => sizeOf(entries[at]),
    overscan: 12,
    getItemKey: (at) => keyOf(entries[at]) ?? at,
  })
  // Heights that were measured on a narrow screen do not hold on a wide one.
  useEffect(() => rows.measure(), [rows, isPhone])
  usePlace({
    scroller,
    show: (id) => {
      const at = entries.findIndex((entry) => keyOf(entry) === id)
      if (at !== -1) rows.scrollToIndex(at, { align: 'center' })
    },
  })
  const shown = rows.getVirtualItems()
  useFetchNextPage(query, (shown.at(-1)?.index ?? 0) >= entries.length - 30)
  const tabStop = items.some(({ id }) => id === focused) ? focused : items[0]?.id
  return (
    <Table
      label={label}
      columns={columns}
      items={items}
      rowCount={total ?? items.length}
      hasLead={props.selection !== undefined || props.hasRank !== false}
      sort={props.sort}
    >
      <div
        role="rowgroup"
        className={classes.body}
        data-virtual
        style={{ height: rows.getTotalSize() }}
      >
        {shown.map(({ index: at, key, start }) => {
          const entry = entries[at] as Entry<T>
          if ('head' in entry) {
            const { name, count } = entry.head
            const transform = `translateY(${start}px)`
            return <GroupHead key={key} name={name} count={count} style={{ transform }} />
          }
          return (
            <Row
              key={key}
              {...rowOptions(props)}
              item={entry.item}
              index={entry.index}
              place={at}
              columns={columns}
              isTabStop={entry.item.id === tabStop}
              onFocus={setFocused}
              measure={isPhone ? rows.measureElement : undefined}
              top={start}
              height={isPhone ? undefined : rowHeight}
            />
          )
        })}
      </div>
    </Table>
  )
}

const keyOf = (entry: Entry<ListItem> | undefined) =>
  entry && ('head' in entry ? `head ${entry.head.key}` : entry.item.id)

export const rowOptions = <T extends ListItem>(options: RowOptions<T>): RowOptions<T> => {
  const { nameOf, selection, rankOf, hasRank, actions, peekedId } = options
  return {
    selection,
    ...(nameOf && { nameOf }),
    ...(rankOf && { rankOf }),
    ...(hasRank !== undefined && { hasRank }),
    ...(actions && { actions }),
    ...(peekedId !== undefined && { peekedId }),
  }
}

/** Fetches the next page before the user reaches the end. */
function useFetchNextPage(query: UseInfiniteQueryResult, isNearEnd: boolean): void {
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetchingNextPage, isError, fetchNextPage])
}
