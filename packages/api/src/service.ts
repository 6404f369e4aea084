import { Door } from '#domain/door'
import { buildServer } from '#http/server'
import { startSweeper } from '#jobs/sweeper'
import { selectCursorSecret } from '#storage/cluster'
import { Database, type DatabaseOptions } from '#storage/database'
import { createPool } from '#storage/pool'
import { StorageError } from '#storage/storage-error'

export interface ServiceOptions extends DatabaseOptions {
  readonly url: string
  readonly poolMax?: number
  readonly logLevel: string | null
  /** How often flags are brought up to date; null for a service that leaves it to others. */
  readonly sweepSeconds?: number | null
}

/**
 * The service, put together and ready to listen. A database that cannot be reached is waited for,
 * request by request; one that has never been migrated is told at once.
 */
export async function startService(options: ServiceOptions) {
  const { url, poolMax = 10, logLevel, sweepSeconds = null, ...rest } = options
  const database = new Database(createPool({ url, role: 'muster_app', max: poolMax }), rest)
  const app = buildServer({
    door: new Door(database),
    cursorSecret: () => database.ask(selectCursorSecret),
    connections: () => database.connections,
    logLevel,
  })
  try {
    await database.ask(selectCursorSecret)
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== null) throw notMigrated(error)
    app.log.warn('The database cannot be reached yet. Requests will be answered 503 until it is.')
  }
  const sweeper = sweepSeconds === null ? null : startSweeper(database, sweepSeconds, app.log)
  return {
    app,
    database,
    async [Symbol.asyncDispose]() {
      await sweeper?.[Symbol.asyncDispose]()
      await app.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

function notMigrated(cause: unknown): Error {
  const origin = cause instanceof StorageError ? cause.cause : cause
  const reason = origin instanceof Error ? origin.message : 'for an unknown reason'
  return new Error(`The database is not ready (${reason}). Run: npm run migrate`, { cause })
}
