import { useRouterState } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'

import type { ListResponse } from './lists.ts'
import { queryClient } from './query-client.ts'

/** What a list shows, as far as its order needs it. */
export interface OrderedRef {
  readonly id: string
  /** The project of a risk, an issue or a task. */
  readonly project_id?: string
}

/** A list with pages: the options of its query. */
export interface OrderSource {
  readonly queryKey: readonly unknown[]
  /** The context differs by list; a page needs `pageParam` and `signal` only. */
  readonly queryFn?: unknown
}

interface Rest {
  /** The sources that are not complete, in their order. */
  readonly sources: readonly OrderSource[]
  /** The cursor of the next page of the first source. */
  readonly cursor: string | null
}

/** The order that a list had when the user left it. It does not change with its records. */
export interface ListOrder {
  readonly refs: readonly OrderedRef[]
  /** The number of all records; null if it is unknown. */
  readonly total: number | null
  /** Null if all records are in `refs`. */
  readonly rest: Rest | null
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The key of the order of the list that the record was opened from. */
    list?: string
  }
}

/** The orders of the last lists, by the key of their history entry. */
const orders = new Map<string, ListOrder>()
const ordersMax = 20
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setOrder(key: string, order: ListOrder): void {
  orders.delete(key)
  orders.set(key, order)
  const [oldest] = orders.keys()
  if (orders.size > ordersMax && oldest !== undefined) orders.delete(oldest)
  for (const listener of listeners) listener()
}

export const getOrder = (key: string) => orders.get(key)

export const useOrder = (key: string) => useSyncExternalStore(subscribe, () => orders.get(key))

/** The key of the present history entry. Back returns to the same key. */
export const useEntryKey = () =>
  useRouterState({ select: ({ location }) => location.state.key ?? location.href })

interface EntryState {
  readonly key?: string
}

/** The state of a link in a list to one of its records. */
export const fromList = ({ key }: EntryState) =>
  key !== undefined && orders.has(key) ? { list: key } : {}

interface CachedPages {
  readonly pages: readonly ListResponse<OrderedRef>[]
}

/** The order of the pages that are loaded by now. */
export function orderOf(sources: readonly OrderSource[], total: number | null): ListOrder {
  let order: ListOrder = { refs: [], total, rest: null }
  for (const [at, { queryKey }] of sources.entries()) {
    const { pages = [] } = queryClient.getQueryData<CachedPages>(queryKey) ?? {}
    order = pages.reduce(withPage, order)
    const cursor = pages.at(-1)?.next_cursor ?? null
    const isIncomplete = pages.length === 0 || cursor !== null
    if (isIncomplete) return { ...order, rest: { sources: sources.slice(at), cursor } }
  }
  return order
}

/** A record can be in several groups; its first place counts. */
function withPage(order: ListOrder, page: ListResponse<OrderedRef>): ListOrder {
  const known = new Set(order.refs.map(({ id }) => id))
  const added = page.data.filter(({ id }) => !known.has(id)).map(toRef)
  return {
    ...order,
    refs: [...order.refs, ...added],
    total: order.total ?? page.total_count ?? null,
  }
}

const toRef = ({ id, project_id }: OrderedRef): OrderedRef =>
  project_id === undefined ? { id } : { id, project_id }

/** Keeps the order of the list that the page shows. */
export function useListOrder(sources: readonly OrderSource[], total: number | null): void {
  const key = useEntryKey()
  useEffect(() => {
    if (sources.length > 0) setOrder(key, orderOf(sources, total))
  })
}

type FetchPage = (context: {
  readonly pageParam: string | null
  readonly signal: AbortSignal
}) => Promise<ListResponse<OrderedRef>>

const loading = new Map<string, Promise<void>>()

/** Loads the next page of an order, once at a time. */
export function extendOrder(key: string): Promise<void> {
  const request = loading.get(key) ?? loadPage(key).finally(() => loading.delete(key))
  loading.set(key, request)
  return request
}

/** A failed request ends the order where it is. */
async function loadPage(key: string): Promise<void> {
  const order = orders.get(key)
  const [source, ...others] = order?.rest?.sources ?? []
  if (!order?.rest || !source) return
  try {
    const { signal } = new AbortController()
    // The cast holds for the options that `pagedQuery` makes.
    const page = await (source.queryFn as FetchPage)({ pageParam: order.rest.cursor, signal })
    const sources = page.next_cursor === null ? others : order.rest.sources
    const rest = sources.length === 0 ? null : { sources, cursor: page.next_cursor }
    setOrder(key, { ...withPage(order, page), rest })
  } catch {
    setOrder(key, { ...order, rest: null })
  }
}

/** The next record after this one. Loads a page if it is not known yet. */
export async function nextInOrder(key: string, id: string): Promise<OrderedRef | null> {
  for (;;) {
    const order = orders.get(key)
    const at = order?.refs.findIndex((ref) => ref.id === id) ?? -1
    if (order === undefined || at === -1) return null
    const next = order.refs[at + 1]
    if (next) return next
    await extendOrder(key)
    if (orders.get(key) === order) return null
  }
}

const storageKey = 'muster.order'
const storedMax = 1000

/** Keeps the order for a reload of the page. Further pages are not loaded after it. */
export function storeOrder(key: string, { refs, total, rest }: ListOrder): void {
  const stored = refs.slice(0, storedMax)
  const count = rest === null ? refs.length : total
  sessionStorage.setItem(storageKey, JSON.stringify({ key, refs: stored, total: count }))
}

/** Forgets all orders, because the next person must not see them. */
export function discardOrders(): void {
  orders.clear()
  sessionStorage.removeItem(storageKey)
}

/** The order that a reload has interrupted. */
export function restoreOrder(key: string): ListOrder | null {
  // The cast holds for what `storeOrder` stores.
  const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as StoredOrder
  if (stored.key !== key || !stored.refs) return null
  const { refs, total = null } = stored
  const isAll = total !== null && refs.length >= total
  return { refs, total, rest: isAll ? null : { sources: [], cursor: null } }
}

interface StoredOrder {
  readonly key?: string
  readonly refs?: readonly OrderedRef[]
  readonly total?: number | null
}
