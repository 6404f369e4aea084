import type { Sweeper } from '#domain/workspace/sweep'

import type { Due, JobKind, JobLog } from './worker.ts'

/** The sum of all sweeps of this process. */
export interface SweepTotals {
  readonly workspaces: number
  /** Workspaces that could not be swept. Each is tried again. */
  readonly failures: number
}

/** The sweeps of workspaces: one job for each workspace that is due. */
export class SweepJobs implements JobKind {
  readonly name = 'sweep'
  readonly places: number
  readonly #sweeper: Sweeper
  readonly #log: JobLog
  readonly #totals = { workspaces: 0, failures: 0 }

  constructor(sweeper: Sweeper, places: number, log: JobLog) {
    this.#sweeper = sweeper
    this.places = places
    this.#log = log
  }

  get totals(): SweepTotals {
    return this.#totals
  }

  due(after: Due | null, limit: number): Promise<readonly Due[]> {
    return this.#sweeper.due(after, limit)
  }

  async run(workspaceId: string, signal: AbortSignal): Promise<boolean> {
    try {
      const swept = await this.#sweeper.sweepWorkspace(workspaceId, {
        signal,
        onUnknownZone: (workspace_id) =>
          this.#log.warn({ workspace_id }, 'PostgreSQL does not know the time zone: UTC is used'),
      })
      this.#totals.workspaces += Number(swept.isDone)
      return swept.isDone
    } catch (error) {
      this.#totals.failures += 1
      throw error
    }
  }
}
