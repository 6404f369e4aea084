import { limits, type Rates } from '@muster/contract'
import { Registry } from 'prom-client'

import { Authenticator } from '#domain/auth/authenticate'
import { LinkEnrolment } from '#domain/auth/link-enrolment'
import { ProviderSignIn } from '#domain/auth/provider/provider-sign-in'
import { RefusalLog } from '#domain/auth/refusal-log'
import { SessionManager } from '#domain/auth/sessions'
import { SignInAttempts } from '#domain/auth/sign-in-attempts'
import { RowTexts } from '#domain/engine/row-texts'
import { SignInTestLimit } from '#domain/engine/sign-in-test-limit'
import { SlugLimit } from '#domain/engine/slug-limit'
import { WorkspaceMemory } from '#domain/engine/workspace-memory'
import { WorkspaceChanges } from '#domain/events/changes'
import { OidcClient } from '#domain/oidc/oidc-client'
import { Secrets } from '#domain/oidc/secrets'
import { createEgress, type EgressOptions, egressPlacesMax } from '#egress/egress'
import type { RedisOptions } from '#http/auth/shared-counts'
import { type RequestTimeouts, requestTimeouts } from '#http/edge/admission'
import { Drain } from '#http/edge/drain'
import { FairShare } from '#http/edge/fair-share'
import { Listeners } from '#http/edge/listeners'
import { MetricsServer } from '#http/ops/metrics'
import { buildServer } from '#http/server'
import { isTransient } from '#storage/connection/advice'
import { createPool, type PoolOptions, probeDatabase } from '#storage/connection/pool'
import { requireSessionSettings } from '#storage/connection/session-settings'
import { type DatabaseTimeouts, databaseTimeouts } from '#storage/connection/timeouts'
import { DatabaseWatchdog } from '#storage/connection/watchdog'
import { LatestReading } from '#storage/inspect/latest-reading'
import { selectTableSizes } from '#storage/inspect/table-sizes'
import { readMigrations } from '#storage/migration/migrations'
import { SchemaCheck } from '#storage/migration/schema-check'
import { OldTerms } from '#storage/numbers/old-terms'
import { Database, type DatabaseOptions } from '#storage/transaction/database'
import { StorageError } from '#storage/values/storage-error'

import { BackgroundJobs } from './background-jobs.ts'
import { OperatorError } from './config/operator-error.ts'

export interface ServiceOptions extends DatabaseOptions {
  readonly url: string
  readonly poolMax?: number
  /** The maximum number of open client connections; 10 000 by default. */
  readonly connectionsMax?: number
  readonly logLevel: string | null
  /** How often the service looks for background work; null for a service that does none. */
  readonly sweepSeconds?: number | null
  /** The rate limits; by default those of the contract. */
  readonly rates?: Rates
  /** The Redis for rate limiting; by default each process counts separately. */
  readonly redis?: RedisOptions | null
  /** The proxies whose X-Forwarded headers are trusted; by default none. */
  readonly trustedProxies?: readonly string[]
  /** The memory for pages and complete lists; 128 MiB by default. */
  readonly responseMemoryBytes?: number
  readonly corsOrigins?: readonly string[]
  readonly securityContact?: string | null
  /** The origin at which browsers reach the service. */
  readonly publicUrl?: string
  /** The destinations that the operator allows, and the resolver; by default public ones and DNS. */
  readonly egress?: EgressOptions
  /** The keys that encrypt stored secrets, newest first. */
  readonly secretsKeys?: readonly string[]
  readonly timeouts?: Partial<Timeouts>
  /** For how long refusals are counted before they are written; a minute by default. */
  readonly refusalMinuteMs?: number
}

export type Timeouts = DatabaseTimeouts & RequestTimeouts

interface ListenAddress {
  readonly host: string
  readonly port: number
  /** Null for a service without metrics. */
  readonly metricsPort?: number | null
}

/**
 * Concurrent requests for each database connection: enough that few connections are idle while a
 * request is queued, and few enough that none waits long for a connection.
 */
const requestsPerConnection = 2

/** Authentication has a connection of its own: it is short, and all other work needs it. */
const authenticationConnections = 1

const defaults = {
  poolMax: 10,
  connectionsMax: undefined,
  sweepSeconds: null,
  rates: limits.perMinute,
  redis: null,
  trustedProxies: [],
  responseMemoryBytes: 128 * 1024 ** 2,
  corsOrigins: [],
  securityContact: null,
  publicUrl: 'http://localhost:8080',
  egress: { allow: [] },
  secretsKeys: [],
  refusalMinuteMs: 60_000,
} as const

/**
 * Assembles the service, ready to listen. While the database is not available, requests get 503. A
 * schema that this release cannot use is an error.
 */
export async function startService(options: ServiceOptions) {
  const { url, poolMax, sweepSeconds, ...settings } = { ...defaults, ...options }
  const timeouts = { ...databaseTimeouts, ...requestTimeouts, ...settings.timeouts }
  const database = openDatabase({ url, poolMax, timeouts }, settings)
  const drain = new Drain()
  const registry = new Registry()
  const jobs = new BackgroundJobs(database, { url, timeouts, sweepSeconds })
  const schema = new SchemaCheck(database, await readMigrations())
  const refusals = new RefusalLog(database, settings.refusalMinuteMs)
  const memory = new WorkspaceMemory(settings.responseMemoryBytes / 2)
  const rowTexts = new RowTexts(memory)
  const app = await buildServer({
    ...settings,
    concurrencyMax: requestsPerConnection * poolMax,
    timeouts,
    drain,
    registry,
    ...authenticationOf(database, refusals, { ...settings, rowTexts }),
    memory,
    rowTexts,
    spoolBytes: settings.responseMemoryBytes / 2,
    oldTerms: new OldTerms(database),
    changes: new WorkspaceChanges(database),
    databaseState: databaseStateOf(database, schema),
    jobs,
    schemaProblem: () => schema.problem,
  })
  try {
    await requireDatabase(schema, { url, timeouts })
  } catch (error) {
    if (!(error instanceof StorageError && isTransient(error))) {
      await Promise.all([app.close(), database[Symbol.asyncDispose]()])
      throw error
    }
    app.log.warn({ err: error }, 'The database is not available yet. Requests get 503 until it is.')
  }
  jobs.start(app.log)
  const listeners = new Listeners(app)
  const metrics = new MetricsServer(registry)
  return {
    app,
    database,
    metrics,
    refusals,
    async listen({ metricsPort = null, ...address }: ListenAddress) {
      if (metricsPort !== null) {
        const served = await metrics.open({ host: address.host, port: metricsPort })
        app.log.info(`Metrics listening at ${served}`)
      }
      await listeners.open(address)
    },
    /** Starts draining: `/readyz` fails, and every response closes its connection. */
    drain: () => drain.begin(),
    async [Symbol.asyncDispose]() {
      drain.begin()
      await Promise.all([jobs[Symbol.asyncDispose](), listeners.close()])
      await refusals.endMinute()
      await Promise.all([metrics.close(), database[Symbol.asyncDispose]()])
    },
  }
}

type AuthenticationSettings = Required<
  Pick<ServiceOptions, 'egress' | 'rates' | 'publicUrl' | 'secretsKeys'>
> & { readonly rowTexts: RowTexts }

/** The parts that authenticate requests and sign people in. */
function authenticationOf(
  database: Database,
  refusals: RefusalLog,
  { rates, publicUrl, egress, secretsKeys, rowTexts }: AuthenticationSettings,
) {
  const sessions = new SessionManager(database, refusals)
  const identityProviders = {
    oidc: new OidcClient(createEgress(egress, new FairShare(egressPlacesMax))),
    secrets: new Secrets(secretsKeys),
    testLimit: new SignInTestLimit(),
  }
  return {
    refusals,
    sessions,
    authenticator: new Authenticator(database, {
      rates,
      publicUrl,
      identityProviders,
      slugLimit: new SlugLimit(),
      rowTexts,
      refusals,
    }),
    providerSignIn: new ProviderSignIn({
      database,
      sessions,
      publicUrl,
      refusals,
      ...identityProviders,
    }),
    signInAttempts: new SignInAttempts({ database, sessions, publicUrl, refusals }),
    linkEnrolment: new LinkEnrolment({ database, publicUrl, refusals }),
  }
}

interface ServicePool extends Omit<PoolOptions, 'role' | 'max'> {
  readonly poolMax: number
}

/**
 * Opens the connections of the service, with a watchdog. Requests with a place get them in the
 * order in which they ask: admission control has decided which requests those are.
 */
function openDatabase({ poolMax, ...options }: ServicePool, rest: DatabaseOptions): Database {
  const { timeouts = databaseTimeouts } = options
  const poolOptions = { ...options, role: 'muster_app' } as const
  const watchdog = new DatabaseWatchdog(() => probeDatabase(poolOptions), timeouts)
  const pool = createPool({ ...poolOptions, max: poolMax - authenticationConnections })
  const authenticationPool = createPool({ ...poolOptions, max: authenticationConnections })
  return new Database(pool, { flushMs: timeouts.flushMs, watchdog, authenticationPool, ...rest })
}

/** What the metrics show of the database. */
function databaseStateOf(database: Database, schema: SchemaCheck) {
  const tableSizes = new LatestReading(database, { select: selectTableSizes, everyMs: 60_000 })
  return {
    connections: () => database.connections,
    connectionsMax: database.connectionsMax,
    isUp: () => schema.isAnswered,
    tables: () => tableSizes.latest,
  }
}

async function requireDatabase(schema: SchemaCheck, options: Omit<PoolOptions, 'role'>) {
  await requireSessionSettings({ ...options, role: 'muster_app' })
  const problem = await schema.check()
  if (problem !== null) throw new OperatorError(problem)
}
