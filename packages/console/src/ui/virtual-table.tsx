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

import { itemsOf, type Pages } from '#api/lists.ts'
import { t } from '#text/index.ts'

import { ProblemNotice } from './problem.tsx'

import classes from './ranked-list.module.css'

export interface Column<T> {
  readonly name: string
  /** The width in a CSS grid. */
  readonly width: string
  readonly cell: (item: T) => ReactNode
  /** Where it goes when there is no room for columns: some need no name there. */
  readonly isPlain?: boolean
  /** Takes the whole width when there is no room for columns. */
  readonly isWide?: boolean
}

interface Item {
  readonly id: string
}

interface Props<T extends Item> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly query: UseInfiniteQueryResult<Pages<T>>
  /** How many there are in all, as far as is known. */
  readonly total: number | null
  readonly empty: ReactNode
  readonly rowHeight?: number
}

/** A list of any length, or what there is to say instead of it. */
export function RankedList<T extends Item>(props: Props<T>) {
  const { query, empty } = props
  const items = useMemo(() => itemsOf(query.data), [query.data])
  if (query.isPending) return <Waiting />
  if (items.length > 0) return <Rows {...props} items={items} />
  return query.isError ? <ProblemNotice error={query.error} /> : empty
}

/**
 * Only the rows in sight are in the page, and the next ones are asked for as they are scrolled to.
 * Up and down go from row to row.
 */
function Rows<T extends Item>(props: Props<T> & { readonly items: readonly T[] }) {
  const { label, columns, query, total, items, rowHeight = 56 } = props
  const box = useRef<HTMLDivElement>(null)
  const top = useOffset(box)
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => items[index]?.id ?? index,
  })
  const shown = rows.getVirtualItems()
  useNextPage(query, (shown.at(-1)?.index ?? 0) >= items.length - 30)
  const grid = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') }
  return (
    <div role="table" aria-label={label} aria-rowcount={(total ?? items.length) + 1}>
      <Head columns={columns} grid={grid} />
      <div
        ref={box}
        role="rowgroup"
        className={classes.body}
        style={{ height: rows.getTotalSize() }}
        onKeyDown={stepByArrows}
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
      {query.isFetchingNextPage && <Waiting />}
      {query.isError && <ProblemNotice error={query.error} />}
    </div>
  )
}

/** Asks for what follows before it is needed. */
function useNextPage(query: UseInfiniteQueryResult, isNearEnd: boolean): void {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage])
}

interface HeadProps {
  readonly columns: readonly { readonly name: string }[]
  readonly grid: { readonly gridTemplateColumns: string }
}

function Head({ columns, grid }: HeadProps) {
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
  return columns.map(({ name, cell, isPlain = false, isWide = false }) => (
    <div
      key={name}
      role="cell"
      className={classes.cell}
      data-name={isPlain ? '' : name}
      data-wide={isWide}
    >
      {cell(item)}
    </div>
  ))
}

function Waiting() {
  return (
    <Center py="md">
      <Loader size="sm" aria-label={t('page.loading')} />
    </Center>
  )
}

/** How far down the page it begins, also after what is above it has grown. */
function useOffset(box: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const { current } = box
      if (current) setOffset(current.getBoundingClientRect().top + window.scrollY)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [box])
  return offset
}

/** The arrows go to the same link or button of the next row; all else is left to the browser. */
function stepByArrows(event: KeyboardEvent<HTMLDivElement>): void {
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
