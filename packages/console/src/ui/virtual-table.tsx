import { Center, Loader } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { allItems, type Pages } from '#api/lists.ts'
import { t } from '#text/index.ts'

import { ProblemNotice } from './problem.tsx'

import classes from './virtual-table.module.css'

export interface Column<T> {
  readonly name: string
  /** The width in a CSS grid. */
  readonly width: string
  readonly cell: (item: T) => ReactNode
  /** Hides the column name on narrow screens. */
  readonly isUnlabelled?: boolean
  /** Takes the full width on narrow screens. */
  readonly isWide?: boolean
}

interface Item {
  readonly id: string
}

interface Props<T extends Item> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly query: UseInfiniteQueryResult<Pages<T>>
  /** The total number of items; null if it is unknown. */
  readonly total: number | null
  readonly empty: ReactNode
  readonly rowHeight?: number
}

/** A table of any length, with its loading, error and empty states. */
export function VirtualTable<T extends Item>(props: Props<T>) {
  const { query, empty } = props
  const items = useMemo(() => allItems(query.data), [query.data])
  if (query.isPending) return <LoadingIndicator />
  if (items.length > 0) return <Rows {...props} items={items} />
  return query.isError ? <ProblemNotice error={query.error} /> : empty
}

/**
 * Virtualised rows: only visible rows are in the DOM, and further pages load on scroll. The arrow
 * keys move between rows.
 */
function Rows<T extends Item>(props: Props<T> & { readonly items: readonly T[] }) {
  const { label, columns, query, total, items, rowHeight = 56 } = props
  const bodyRef = useRef<HTMLDivElement>(null)
  const top = usePageOffset(bodyRef)
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => items[index]?.id ?? index,
  })
  const shown = rows.getVirtualItems()
  useFetchNextPage(query, (shown.at(-1)?.index ?? 0) >= items.length - 30)
  const grid = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') }
  return (
    <div role="table" aria-label={label} aria-rowcount={(total ?? items.length) + 1}>
      <HeaderRow columns={columns} grid={grid} />
      <div
        ref={bodyRef}
        role="rowgroup"
        className={classes.body}
        style={{ height: rows.getTotalSize() }}
        onKeyDown={moveFocusByArrowKey}
      >
        {shown.map(({ index, key, start }) => (
          <div
            key={key}
            role="row"
            aria-rowindex={index + 2}
            data-index={index}
            ref={rows.measureElement}
            className={classes.row}
            style={{ ...grid, transform: `translateY(${start - top}px)` }}
          >
            <Cells columns={columns} item={items[index] as T} />
          </div>
        ))}
      </div>
      {query.isFetchingNextPage && <LoadingIndicator />}
      {query.isError && <ProblemNotice error={query.error} />}
    </div>
  )
}

/** Fetches the next page before the user reaches the end. */
function useFetchNextPage(query: UseInfiniteQueryResult, isNearEnd: boolean): void {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage])
}

interface HeaderRowProps {
  readonly columns: readonly { readonly name: string }[]
  readonly grid: { readonly gridTemplateColumns: string }
}

function HeaderRow({ columns, grid }: HeaderRowProps) {
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} className={classes.head} style={grid}>
        {columns.map(({ name }) => (
          <div key={name} role="columnheader">
            {name}
          </div>
        ))}
      </div>
    </div>
  )
}

function Cells<T>({ columns, item }: { columns: readonly Column<T>[]; item: T }) {
  return columns.map(({ name, cell, isUnlabelled = false, isWide = false }) => (
    <div
      key={name}
      role="cell"
      className={classes.cell}
      data-name={isUnlabelled ? '' : name}
      data-wide={isWide}
    >
      {cell(item)}
    </div>
  ))
}

function LoadingIndicator() {
  return (
    <Center py="md">
      <Loader size="sm" aria-label={t('page.loading')} />
    </Center>
  )
}

/** The distance of the element from the top of the page, updated when the layout changes. */
function usePageOffset(bodyRef: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const { current } = bodyRef
      if (current) setOffset(current.getBoundingClientRect().top + window.scrollY)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [bodyRef])
  return offset
}

/** Moves the focus to the first link of the next or previous row. */
function moveFocusByArrowKey(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const row = (event.target as HTMLElement).closest('[role=row]')
  if (step === undefined || row === null) return
  const next = Number(row.getAttribute('data-index')) + step
  const target = event.currentTarget.querySelector<HTMLElement>(`[data-index="${next}"] a`)
  if (target === null) return
  event.preventDefault()
  target.focus()
  target.scrollIntoView({ block: 'nearest' })
}
