/** The rows of a page by id and version, and the counters: one statement, so one snapshot. */

import assert from 'node:assert/strict'

import { type CompiledQuery, sql } from 'kysely'

import { isoInstant } from '#storage/connection/pool'
import type { TextRow } from '#storage/connection/statement-group'
import { presentCounters } from '#storage/numbers/counters'
import type { Counters, Read, Tenant } from '#storage/statements/access'
import { isOwn, type Page, type Position } from '#storage/statements/keyset'

import {
  type GivenValue,
  type ListQuery,
  type OrderColumn,
  ownOf,
  pageRows,
  pageValues,
  statementOf,
} from './index-ranges.ts'

interface RowKey {
  readonly id: string
  readonly version: number
}

export interface PageKeys {
  readonly counters: Counters
  readonly rows: readonly RowKey[]
  /** The position where the next page starts; null for the last page. */
  readonly next: Position | null
}

/** What reads one statement: a snapshot by itself. */
interface Reader {
  readAtOnce(tenant: Tenant, compile: (read: Read) => CompiledQuery): Promise<readonly TextRow[]>
}

export async function selectPageKeys(
  reader: Reader,
  tenant: Tenant,
  { query, page }: { readonly query: ListQuery; readonly page: Page },
): Promise<PageKeys> {
  const names = query.order.map(({ name }) => name)
  const narrow = { ...query, columns: [...new Set([...names, 'id', 'version'])] }
  const statement = statementOf('keys', narrow, (given) => keysOfPage(given, narrow))
  const [row] = await reader.readAtOnce(tenant, (read) =>
    statement.compile(read, { ...pageValues(read, narrow, page), last: page.limit - 1 }),
  )
  const [counters, epoch, server, keys, position] = row ?? []
  assert(counters && epoch && server, 'a workspace has counters')
  const rows = keysIn(keys ?? '')
  const isLast = rows.length <= page.limit
  return {
    counters: countersIn({ counters, epoch, server }),
    rows: rows.slice(0, page.limit),
    next: isLast ? null : positionIn(position ?? '', query.order),
  }
}

/** One row: the counters, the keys of all rows, and the position of the last row of the page. */
function keysOfPage(given: GivenValue, query: ListQuery) {
  const position = query.order.map(({ name }) => sql`${sql.ref(`page.${name}`)}::text`)
  return sql<Record<string, unknown>>`with page as (${pageRows(given, query)})
    select row_to_json(own), (select epoch from cluster), server_identity(),
      array_to_string(array(select page.id || ' ' || page.version from page), ','),
      (select json_build_array(${sql.join(position)}) from page offset ${given('last')} limit 1)
    from workspace_counters as own where ${isOwn(ownOf(given), 'own')}`
}

const keysIn = (text: string): RowKey[] =>
  text === ''
    ? []
    : text.split(',').map((key) => ({ id: key.slice(0, 36), version: Number(key.slice(37)) }))

/** The counters that were read last: most pages are read between two writes. */
const parsed = new Map<string, Counters>()
const parsedMax = 1000

interface ReadCounters {
  readonly counters: string
  readonly epoch: string
  readonly server: string
}

function countersIn({ counters, epoch, server }: ReadCounters): Counters {
  const text = `${epoch} ${server} ${counters}`
  const known = parsed.get(text)
  if (known) return known
  const present = presentCounters({ ...JSON.parse(counters), epoch, server })
  if (parsed.size >= parsedMax) parsed.clear()
  parsed.set(text, present)
  return present
}

const parsers: Readonly<Record<OrderColumn['type'], (text: string) => string | number>> = {
  uuid: (text) => text,
  text: (text) => text,
  date: (text) => text,
  smallint: Number,
  bigint: Number,
  timestamptz: isoInstant,
}

/** The same values as those of the columns of a row. */
function positionIn(text: string, order: readonly OrderColumn[]): Position {
  // The cast holds because the statement makes an array of texts.
  const values = JSON.parse(text) as string[]
  return order.map(({ type }, index) => parsers[type](values[index] ?? ''))
}
