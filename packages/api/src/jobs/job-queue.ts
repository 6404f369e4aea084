import { type Db, type Job, PgBoss } from 'pg-boss'

/** A job is a wake-up: it has the id of what is due, and nothing else. */
interface Wake {
  readonly id: string
}

export type WakeJob = Job<Wake>

/**
 * A job that is queued, runs or waits for a retry refuses another one of its id. What it misses is
 * still due in our tables, and the next look finds it. A worker that sends no heartbeat has ended
 * or hangs: then another one gets the job.
 */
const queueOptions = {
  policy: 'exclusive',
  heartbeatSeconds: 10,
  expireInSeconds: 300,
  retryLimit: 100_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  deleteAfterSeconds: 60,
} as const

/** The jobs of one queue of pg-boss. `npm run migrate` creates its tables (`jobs-schema.ts`). */
export class JobQueue {
  readonly name: string
  readonly #boss: PgBoss

  private constructor(name: string, boss: PgBoss) {
    this.name = name
    this.#boss = boss
  }

  static async open(name: string, db: Db, onError: (error: unknown) => void): Promise<JobQueue> {
    const boss = new PgBoss({
      db,
      migrate: false,
      createSchema: false,
      schedule: false,
      reindex: false,
      monitorIntervalSeconds: 5,
      superviseIntervalSeconds: 5,
      maintenanceIntervalSeconds: 60,
    })
    // Without a listener, an error of the maintenance would end the process.
    boss.on('error', onError)
    const queue = new JobQueue(name, boss)
    try {
      await boss.start()
      await queue.ensure()
      return queue
    } catch (error) {
      await queue.close()
      throw error
    }
  }

  /** Creates the queue again after the tables were dropped. */
  async ensure(): Promise<void> {
    await this.#boss.createQueue(this.name, queueOptions)
  }

  /** Sends a job for each id that has none, and returns how many those are. */
  async send(ids: readonly string[]): Promise<number> {
    const jobs = ids.map((id) => ({ singletonKey: id, data: { id } satisfies Wake }))
    const sent = await this.#boss.insert(this.name, jobs, { returnId: true })
    return sent?.length ?? 0
  }

  fetch(atMost: number): Promise<WakeJob[]> {
    return this.#boss.fetch<Wake>(this.name, { batchSize: atMost })
  }

  /** Sends the heartbeat of jobs. */
  async touch(jobs: readonly WakeJob[]): Promise<void> {
    await this.#boss.touch(this.name, [...jobs])
  }

  async complete(job: WakeJob): Promise<void> {
    await this.#boss.complete(this.name, job)
  }

  /** Another attempt follows. The error stays in the log: jobs have no texts. */
  async fail(job: WakeJob): Promise<void> {
    await this.#boss.fail(this.name, job)
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false })
  }
}
