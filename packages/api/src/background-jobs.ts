import type { Pool } from 'pg'

import { Sweeper } from '#domain/workspace/sweep'
import type { JobSource } from '#http/ops/job-metrics'
import { SweepJobs } from '#jobs/sweep-jobs'
import { type JobLog, Worker } from '#jobs/worker'
import { createPool, jobConnections } from '#storage/connection/pool'
import type { DatabaseTimeouts } from '#storage/connection/timeouts'
import { selectJobQueues } from '#storage/inspect/job-queues'
import { LatestReading } from '#storage/inspect/latest-reading'
import type { Database } from '#storage/transaction/database'

interface JobOptions {
  readonly url: string
  readonly timeouts: DatabaseTimeouts
  /** How often a worker looks for what is due; null for no workers. */
  readonly sweepSeconds: number | null
}

interface Running {
  readonly pool: Pool
  readonly sweeps: SweepJobs
  readonly worker: Worker
}

const placesMax = 4

/** The background work of the service, and what its metrics show of it. */
export class BackgroundJobs implements JobSource {
  readonly #database: Database
  readonly #options: JobOptions
  readonly #queues
  #running: Running | null = null

  constructor(database: Database, options: JobOptions) {
    this.#database = database
    this.#options = options
    this.#queues = new LatestReading(database, { select: selectJobQueues, everyMs: 5000 })
  }

  readonly queues = () => this.#queues.latest
  readonly worker = () => this.#running?.worker.state ?? null
  readonly sweeps = () => this.#running?.sweeps.totals ?? { workspaces: 0, failures: 0 }

  start(log: JobLog): void {
    const { url, timeouts, sweepSeconds } = this.#options
    if (sweepSeconds === null) return
    // At most half of the pool: requests need the rest.
    const half = Math.floor(this.#database.connectionsMax / 2)
    const places = Math.min(placesMax, Math.max(1, half))
    const pool = createPool({ url, role: 'muster_app', max: jobConnections, timeouts })
    const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) }
    const sweeps = new SweepJobs(new Sweeper(this.#database), places, log)
    const worker = new Worker(sweeps, { db, everySeconds: sweepSeconds, log })
    this.#running = { pool, sweeps, worker }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.worker[Symbol.asyncDispose]()
    await this.#running?.pool.end()
  }
}
