import { limits, type Rates } from '@muster/contract'
import { Registry } from 'prom-client'

import { Door } from '#domain/door'
import { Sessions } from '#domain/sessions'
import { Sweeper } from '#domain/sweep'
import { Drain } from '#http/drain'
import { Ears } from '#http/ears'
import { MetricsServer } from '#http/metrics'
import { buildServer } from '#http/server'
import type { RedisOptions } from '#http/shared-counts'
import { startSweeper } from '#jobs/sweeper'
import { isTransient } from '#storage/advice'
import { selectCursorSecret } from '#storage/cluster'
import { Database, type DatabaseOptions } from '#storage/database'
import { missingAdvice, migrationNames, SchemaCheck } from '#storage/migrations'
import { askForSign, createPool } from '#storage/pool'
import { Pulse, signMs } from '#storage/pulse'
import { StorageError } from '#storage/storage-error'

import { OperatorError } from './operator-error.ts'

export interface ServiceOptions extends DatabaseOptions {
  readonly url: string
  readonly poolMax?: number
  /** How many connections of clients are open at once; 10 000 by default. */
  readonly connectionsMax?: number
  readonly logLevel: string | null
  /** How often flags are brought up to date; null for a service that leaves it to others. */
  readonly sweepSeconds?: number | null
  /** How often one may ask; what the contract says by default. */
  readonly rates?: Rates
  /** Where processes count that together; by default each counts for itself. */
  readonly redis?: RedisOptions | null
  /** Who is believed about whom a request comes from; by default nobody. */
  readonly trustedProxies?: readonly string[]
  readonly corsOrigins?: readonly string[]
  readonly securityContact?: string | null
}

interface ListenAddress {
  readonly host: string
  readonly port: number
  /** Null for a service without metrics. */
  readonly metricsPort?: number | null
}

/**
 * How many requests are worked on at once for each connection to the database: enough that none is
 * ever idle while someone waits, and few enough that nobody waits for one for long.
 */
const placesPerConnection = 3

/**
 * The service, put together and ready to listen. While the database is not available, requests get
 * 503. A schema that lacks migrations of this release is an error.
 */
export async function startService(options: ServiceOptions) {
  const { url, poolMax = 10, logLevel, sweepSeconds = null, ...others } = options
  const { rates = limits.perMinute, redis = null, trustedProxies = [], ...edge } = others
  const { corsOrigins = [], securityContact = null, connectionsMax, ...rest } = edge
  const way = { url, role: 'muster_app', max: poolMax } as const
  const pulse = new Pulse(() => askForSign(way, signMs))
  const database = new Database(createPool(way), { pulse, ...rest })
  const drain = new Drain()
  const registry = new Registry()
  const sweeper = new Sweeper(database)
  const schema = new SchemaCheck(database, await migrationNames())
  const app = await buildServer({
    placesMax: placesPerConnection * poolMax,
    connectionsMax,
    drain,
    registry,
    door: new Door(database, rates),
    sessions: new Sessions(database),
    cursorSecret: () => database.ask(selectCursorSecret),
    connections: () => database.connections,
    sweeps: () => sweeper.totals,
    schemaProblem: () => (schema.missing.length > 0 ? missingAdvice(schema.missing) : null),
    rates,
    redis,
    trustedProxies,
    logLevel,
    corsOrigins,
    securityContact,
  })
  try {
    await requireSchema(schema)
  } catch (error) {
    if (!(error instanceof StorageError && isTransient(error))) {
      await Promise.all([app.close(), database[Symbol.asyncDispose]()])
      throw error
    }
    app.log.warn({ err: error }, 'The database is not available yet. Requests get 503 until it is.')
  }
  const sweeping = sweepSeconds === null ? null : startSweeper(sweeper, sweepSeconds, app.log)
  const ears = new Ears(app)
  const metrics = new MetricsServer(registry)
  return {
    app,
    database,
    metrics,
    async listen({ metricsPort = null, ...address }: ListenAddress) {
      if (metricsPort !== null) {
        const served = await metrics.open({ host: address.host, port: metricsPort })
        app.log.info(`Metrics listening at ${served}`)
      }
      await ears.open(address)
    },
    /** Tells whoever asks, and every answer, that requests should go elsewhere from now on. */
    drain: () => drain.begin(),
    async [Symbol.asyncDispose]() {
      drain.begin()
      await Promise.all([sweeping?.[Symbol.asyncDispose](), ears.close()])
      await Promise.all([metrics.close(), database[Symbol.asyncDispose]()])
    },
  }
}

async function requireSchema(schema: SchemaCheck): Promise<void> {
  const missing = await schema.check()
  if (missing.length > 0) throw new OperatorError(missingAdvice(missing))
}
