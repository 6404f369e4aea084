import type { Kysely } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Database } from '#storage/transaction/database'

interface ReadingOptions<T> {
  readonly select: (db: Kysely<DB>) => Promise<readonly T[]>
  readonly everyMs: number
}

/** What the database says about itself, for metrics. */
export class LatestReading<T> {
  readonly #database: Database
  readonly #options: ReadingOptions<T>
  #rows: readonly T[] = []
  #readAt = -Infinity

  constructor(database: Database, options: ReadingOptions<T>) {
    this.#database = database
    this.#options = options
  }

  /**
   * The rows of the last reading; none before the first. They are read in the background, from time
   * to time, and not while requests wait for a connection.
   */
  get latest(): readonly T[] {
    const isDue = performance.now() - this.#readAt > this.#options.everyMs
    if (isDue && this.#database.connections.waiting === 0) this.#read().catch(() => {})
    return this.#rows
  }

  async #read(): Promise<void> {
    this.#readAt = performance.now()
    this.#rows = await this.#database.ask(this.#options.select)
  }
}
