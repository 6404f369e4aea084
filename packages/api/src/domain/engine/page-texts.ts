/**
 * Pages as JSON. If most rows of a list are known, a read gets the ids and the versions of the
 * rows, and their texts are in memory.
 */

import type { List } from '#storage/lists/index-ranges'
import { type ListedRow, selectPageRows, selectRowsById } from '#storage/lists/listed-rows'
import { type PageKeys, selectPageKeys } from '#storage/lists/page-keys'
import type { Counters, Snapshot } from '#storage/statements/access'
import type { Page, Position } from '#storage/statements/keyset'

import type { Caller } from './caller.ts'
import type { RowText, RowTexts } from './row-texts.ts'

/** What a page adds to the item of its row, by the position of the row in the page. */
type Addition = (row: RowText, index: number) => object

export interface TextSource<Stored> {
  readonly list: List<Stored>
  /** The item of a row. It must depend on the row alone. */
  readonly item: (stored: Stored) => object
  /** What the page adds, from memory; null if it is not there. */
  readonly addition?: (counters: Counters) => Addition | null
  /** The same, read in the snapshot of the page. */
  readonly readAddition?: (snapshot: Snapshot) => Promise<Addition>
}

export interface TextPage {
  /** Each item as JSON. */
  readonly texts: readonly string[]
  readonly next: Position | null
  readonly counters: Counters
}

/** Null if no memory is given to texts. */
export async function readPageTexts<Stored>(
  caller: Caller<never>,
  source: TextSource<Stored>,
  page: Page,
): Promise<TextPage | null> {
  const { rowTexts } = caller
  if (rowTexts === null || rowTexts.isOff) return null
  const reader = new PageReader(caller, source, rowTexts)
  return (await reader.readKnown(page)) ?? reader.readRows(page)
}

/** The more rows of a page are unknown, the less its keys are worth. */
const missingMax = 1 / 2

class PageReader<Stored> {
  readonly #caller: Caller<never>
  readonly #source: TextSource<Stored>
  readonly #texts: RowTexts
  readonly #table: string

  constructor(caller: Caller<never>, source: TextSource<Stored>, texts: RowTexts) {
    this.#caller = caller
    this.#source = source
    this.#texts = texts
    this.#table = source.list.query.table
  }

  /** Null if the page must be read with its rows. */
  async readKnown(page: Page): Promise<TextPage | null> {
    const caller = this.#caller
    const { list, addition } = this.#source
    if (!this.#texts.isKnown(caller.workspaceId, this.#table)) return null
    const keys = await selectPageKeys(caller.database, caller, { query: list.query, page })
    const { counters, next } = keys
    const added = addition?.(counters)
    if (added === null) return null
    const rows = await this.#rowsOf(keys)
    return rows && { texts: textsOf(rows, added), next, counters }
  }

  /** Reads the page with its rows, in one snapshot, and keeps them. */
  readRows(page: Page): Promise<TextPage> {
    const { list, readAddition } = this.#source
    return this.#caller.database.snapshot(this.#caller, async (snapshot) => {
      const [{ items, next }, counters, added] = await Promise.all([
        selectPageRows(snapshot, list, page),
        snapshot.counters,
        readAddition?.(snapshot),
      ])
      const rows = items.map((row) => this.#keep(row, counters))
      return { texts: textsOf(rows, added), next, counters }
    })
  }

  /** Reads the rows that are not known. Null if they are many, or if one has changed meanwhile. */
  async #rowsOf({ rows: keys, counters: { server } }: PageKeys): Promise<RowText[] | null> {
    const { workspaceId } = this.#caller
    const found = keys.map((key) => this.#texts.find(workspaceId, this.#table, { ...key, server }))
    const missing = keys.flatMap(({ id }, index) => (found[index] === null ? [id] : []))
    const isWorth = missing.length <= keys.length * missingMax
    this.#texts.judge(workspaceId, this.#table, isWorth)
    if (!isWorth) return null
    const read = missing.length > 0 ? await this.#readById(missing) : null
    const all = keys.flatMap(({ id, version }, index) => {
      const row = found[index] ?? read?.get(id)
      return row?.version === version && row.server === server ? [row] : []
    })
    return all.length === keys.length ? all : null
  }

  /** The server is read in the same snapshot: after a failover it may be another one. */
  #readById(ids: readonly string[]): Promise<Map<string, RowText>> {
    return this.#caller.database.snapshot(this.#caller, async (snapshot) => {
      const [rows, counters] = await Promise.all([
        selectRowsById(snapshot, this.#source.list, ids),
        snapshot.counters,
      ])
      return new Map(rows.map((row) => [row.id, this.#keep(row, counters)]))
    })
  }

  #keep({ id, version, item: stored }: ListedRow<Stored>, { server }: Counters): RowText {
    const text = JSON.stringify(this.#source.item(stored))
    const row = { version, server, text, projectId: projectOf(stored) }
    this.#texts.keep(this.#caller.workspaceId, this.#table, { ...row, id })
    return row
  }
}

const textsOf = (rows: readonly RowText[], added: Addition | undefined): string[] =>
  rows.map((row, index) => (added ? joined(row, added(row, index)) : row.text))

/** Two objects as one. */
const joined = ({ text }: RowText, added: object) =>
  `${text.slice(0, -1)},${JSON.stringify(added).slice(1)}`

function projectOf(stored: unknown): string | null {
  const isIn = typeof stored === 'object' && stored !== null && 'project_id' in stored
  return isIn ? String(stored.project_id) : null
}
