import { type RawBuilder, sql } from 'kysely'

import type { Read } from './database.ts'
import type { DirectoryOrder } from './directory.ts'
import { fold } from './fold.ts'
import { type Found, found, isOwn, nil, type Page, rowsFor } from './keyset.ts'
import { personColumns, presentPerson, type StoredPerson } from './personnel.ts'
import { beginningsIn } from './words.ts'

/** A stretch of the words of people, short enough to lead to them. */
export interface Search {
  readonly beginning: string
  readonly order: DirectoryOrder
  /** What the people must meet beside, the whole of `q` among it. */
  readonly tests: readonly RawBuilder<unknown>[]
}

/**
 * What more rows than these lead to is found sooner on the way. In the orders that the words have
 * too, people are looked up only until the page is full; by last change, all of them are.
 */
const rowsMax = { created_at: 14_000, name: 14_000, updated_at: 2000 }

/** The first piece of `q` that leads to few enough rows; null when there is none. */
export async function findBeginning(read: Read, q: string, { by }: DirectoryOrder) {
  for (const beginning of beginningsIn(fold(q))) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from (
      select from person_words where ${isStretch(read, beginning)} limit ${rowsMax[by] + 1}
    ) as counted`.execute(read.db)
    if ((rows[0]?.count ?? 0) <= rowsMax[by]) return beginning
  }
  return null
}

const isStretch = (read: Read, beginning: string) =>
  sql`${isOwn(read, 'person_words')}
    and ending >= ${beginning} and ending < ${`${beginning}\u{10ffff}`}`

/** The order of ids is the order of creation, so that the words need not tell it. */
const orders = {
  created_at: { candidates: ['id'], people: ['created_at', 'id'] },
  name: { candidates: ['sort_name', 'id'], people: ['sort_name', 'id'] },
  updated_at: { candidates: ['id'], people: ['version', 'id'] },
} as const

/** A page of the people whom a stretch of words leads to. */
export async function selectFound(
  read: Read,
  search: Search,
  page: Page,
): Promise<Found<StoredPerson>> {
  const { by, isDescending } = search.order
  const direction = isDescending ? sql`desc` : sql`asc`
  const { people } = orders[by]
  const ordered = sql.join(people.map((name) => sql`${sql.ref(`item.${name}`)} ${direction}`))
  const { rows } = await sql<Record<string, unknown>>`
    select item.* from (${candidates(read, search, page)}) as candidate
    cross join lateral (${person(read, search, page)} offset 0) as item
    order by ${by === 'updated_at' ? ordered : byCandidate(search.order)}
    limit ${rowsFor(page)}`.execute(read.db)
  // The cast holds because the rows have the columns that are named.
  const present = (row: Record<string, unknown>) => presentPerson(row as never)
  return found(rows, { limit: page.limit, columns: people, present })
}

/** How many there are, counted no further than `max` + 1. */
export async function countFound(read: Read, search: Search, max: number): Promise<number> {
  const page = { after: null, limit: max }
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from (${candidates(read, search, page)}) as candidate
    cross join lateral (${person(read, search, page)} offset 0) as item limit ${max + 1}
  ) as counted`.execute(read.db)
  return rows[0]?.count ?? 0
}

function byCandidate({ by, isDescending }: DirectoryOrder) {
  const direction = isDescending ? sql`desc` : sql`asc`
  const columns = orders[by].candidates.map((name) => sql.ref(`candidate.${name}`))
  return sql.join(columns.map((column) => sql`${column} ${direction}`))
}

/** Each person once, in order, from where the page begins. */
function candidates(read: Read, { beginning, order }: Search, { after }: Page) {
  const names = orders[order.by].candidates
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const direction = order.isDescending ? sql`desc` : sql`asc`
  const sorted = sql.join(names.map((name) => sql`${sql.ref(name)} ${direction}`))
  const isAfter = order.isDescending ? sql`<` : sql`>`
  const place = order.by === 'name' ? [after?.[0] ?? '', after?.[1] ?? nil] : [after?.[1] ?? nil]
  const isFirst = sql`${after === null || order.by === 'updated_at'}::boolean`
  const types = { id: sql`uuid`, sort_name: sql`text` }
  const start = sql.join(place.map((value, index) => sql`${value}::${types[names[index] ?? 'id']}`))
  return sql`select distinct on (${columns}) ${columns} from person_words
    where ${isStretch(read, beginning)} and (${isFirst} or (${columns}) ${isAfter} (${start}))
    order by ${sorted}`
}

function person(read: Read, { order, tests }: Search, { after }: Page) {
  const columns = sql.join(personColumns.map((name) => sql.ref(`item.${name}`)))
  const [version, id] = order.by === 'updated_at' && after ? after : [-1, nil]
  const isFirst = sql`${order.by !== 'updated_at' || after === null}::boolean`
  const isAfter = order.isDescending ? sql`<` : sql`>`
  const start = sql`(${version}::bigint, ${id}::uuid)`
  return sql`select ${columns} from people as item
    where ${isOwn(read, 'item')} and item.id = candidate.id
      and (${isFirst} or (item.version, item.id) ${isAfter} ${start})
      and ${sql.join(tests, sql` and `)}`
}
