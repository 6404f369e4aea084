import { setTimeout as sleep } from 'node:timers/promises'

import type { Db } from 'pg-boss'

import { JobQueue, type WakeJob } from './job-queue.ts'

/** The logger of background jobs. */
export interface JobLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What is due, and since when. */
export interface Due {
  readonly id: string
  readonly dueAt: string
}

/** A kind of background work. What is due is in our tables: jobs only wake a worker. */
export interface JobKind {
  readonly name: string
  /** How many jobs a process runs at a time. */
  readonly places: number
  /** What is due after `after`, the longest waiting first. */
  readonly due: (after: Due | null, limit: number) => Promise<readonly Due[]>
  /** Does the work, and returns false if there is more of it. */
  readonly run: (id: string, signal: AbortSignal) => Promise<boolean>
}

export interface WorkerOptions {
  readonly db: Db
  /** How often this process looks for what is due. */
  readonly everySeconds: number
  readonly log: JobLog
}

/** What the metrics show of a worker. */
export interface WorkerState {
  /** Whether the last step of the worker succeeded. */
  readonly isUp: boolean
  /** When it last looked for what is due, in milliseconds; null before the first time. */
  readonly lookedAt: number | null
}

const pageRows = 1000
const pollMs = 500
const pauseAfterErrorMs = 5000
const reportEveryMs = 60_000
const heartbeatMs = 3000
/** A longer job ends early and waits in the queue again, so that others have a turn. */
const turnMs = 60_000
/** How long running jobs have to stop when the process ends, which waits for 10 seconds. */
const drainMs = 8000

interface Running {
  readonly job: WakeJob
  readonly ended: Promise<void>
}

/**
 * Works on the jobs of one kind until it is disposed of. Every process has a worker; pg-boss gives
 * each job to one of them. Every worker also looks for what is due and sends the jobs that are
 * missing. So nothing is lost with the tables of pg-boss, and a worker that cannot reach them tries
 * again until it can.
 */
export class Worker {
  readonly #kind: JobKind
  readonly #options: WorkerOptions
  readonly #stopping = new AbortController()
  readonly #running = new Map<string, Running>()
  readonly #loop: Promise<void>
  #queue: JobQueue | null = null
  #lookAt = 0
  #hasMore = false
  #reportedAt = -Infinity
  #state: WorkerState = { isUp: false, lookedAt: null }
  #nudge: () => void = () => {}

  constructor(kind: JobKind, options: WorkerOptions) {
    this.#kind = kind
    this.#options = options
    this.#loop = this.#work()
  }

  get state(): WorkerState {
    return this.#state
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#nudge()
    await this.#loop
    const ended = Promise.all([...this.#running.values()].map((each) => each.ended))
    await Promise.race([ended, sleep(drainMs, undefined, { ref: false })])
    await this.#queue?.close()
  }

  async #work(): Promise<void> {
    const heartbeat = setInterval(() => void this.#sendHeartbeats(), heartbeatMs)
    while (!this.#stopping.signal.aborted) {
      const isUp = await this.#step().catch((error: unknown) => this.#report(error))
      this.#state = { ...this.#state, isUp }
      if (!isUp) await this.#pause(pauseAfterErrorMs)
    }
    clearInterval(heartbeat)
  }

  /** Looks for what is due from time to time, and starts as many jobs as there are places. */
  async #step(): Promise<true> {
    const queue = await this.#open()
    if (performance.now() >= this.#lookAt) await this.#look(queue)
    const free = this.#kind.places - this.#running.size
    const jobs = free > 0 ? await queue.fetch(free) : []
    for (const job of jobs) this.#start(queue, job)
    if (jobs.length < free && this.#hasMore) this.#lookAt = 0
    else if (jobs.length < free || free === 0) await this.#pause(pollMs)
    return true
  }

  async #open(): Promise<JobQueue> {
    const { db } = this.#options
    this.#queue ??= await JobQueue.open(this.#kind.name, db, (error) => this.#report(error))
    return this.#queue
  }

  /** Sends the jobs of what is due, until enough of them are new or none is left. */
  async #look(queue: JobQueue): Promise<void> {
    await queue.ensure()
    let sent = 0
    let after: Due | null = null
    do {
      const page: readonly Due[] = await this.#kind.due(after, pageRows)
      if (page.length > 0) sent += await queue.send(page.map(({ id }) => id))
      after = page.length === pageRows ? (page.at(-1) ?? null) : null
    } while (after !== null && sent < pageRows && !this.#stopping.signal.aborted)
    this.#hasMore = after !== null
    // Processes that started together look at different times.
    const factor = 2 / 3 + (2 / 3) * Math.random()
    this.#lookAt = performance.now() + this.#options.everySeconds * 1000 * factor
    this.#state = { ...this.#state, lookedAt: Date.now() }
  }

  #start(queue: JobQueue, job: WakeJob): void {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(turnMs)])
    const ended = this.#perform(queue, job, signal).finally(() => {
      this.#running.delete(job.id)
      this.#nudge()
    })
    this.#running.set(job.id, { job, ended })
  }

  async #perform(queue: JobQueue, job: WakeJob, signal: AbortSignal): Promise<void> {
    const { id } = job.data
    try {
      const isDone = await this.#kind.run(id, signal).catch(async (error: unknown) => {
        await queue.fail(job)
        throw error
      })
      await queue.complete(job)
      if (!isDone) await queue.send([id])
    } catch (err) {
      this.#options.log.error({ queue: queue.name, id, err }, 'a job failed')
    }
  }

  async #sendHeartbeats(): Promise<void> {
    const jobs = [...this.#running.values()].map(({ job }) => job)
    // Without heartbeats another worker gets the jobs, which does no harm.
    if (jobs.length > 0) await this.#queue?.touch(jobs).catch(() => {})
  }

  /** Logs an error of the queue, at most once a minute: it lasts as long as the database is down. */
  #report(err: unknown): false {
    const { log } = this.#options
    const now = performance.now()
    if (now - this.#reportedAt > reportEveryMs) {
      log.warn({ queue: this.#kind.name, err }, 'background jobs wait for the database')
      this.#reportedAt = now
    }
    return false
  }

  /** Waits, but not longer than until a job has ended. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#nudge = resolve
    await promise
    clearTimeout(timer)
  }
}
