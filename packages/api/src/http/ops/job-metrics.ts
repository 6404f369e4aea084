import { Counter, Gauge, type Registry } from 'prom-client'

interface QueueState {
  readonly queue: string
  readonly queued: number
  readonly active: number
  readonly oldest: number
}

/** What the metrics show of background work. No function waits for the database. */
export interface JobSource {
  readonly queues: () => readonly QueueState[]
  /** The worker of this process; null if it has none. */
  readonly worker: () => { readonly isUp: boolean; readonly lookedAt: number | null } | null
  readonly sweeps: () => { readonly workspaces: number; readonly failures: number }
}

/** Metrics of background jobs. Every process shows the same queues, and its own worker. */
export function addJobMetrics(registry: Registry, source: JobSource): void {
  addQueueMetrics(registry, source)
  addWorkerMetrics(registry, source)
  addSweepCounters(registry, source)
}

function addQueueMetrics(registry: Registry, { queues }: JobSource): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_jobs',
      help: 'Background jobs of a queue that wait or run.',
      labelNames: ['queue', 'state'],
      registers: [],
      collect() {
        this.reset()
        for (const { queue, queued, active } of queues()) {
          this.set({ queue, state: 'queued' }, queued)
          this.set({ queue, state: 'active' }, active)
        }
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'muster_jobs_oldest_seconds',
      help: 'How long the oldest job of a queue that could run has waited.',
      labelNames: ['queue'],
      registers: [],
      collect() {
        this.reset()
        for (const { queue, oldest } of queues()) this.set({ queue }, oldest)
      },
    }),
  )
}

function addWorkerMetrics(registry: Registry, { worker }: JobSource): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_worker_up',
      help: '1 if the worker of this process can work on jobs; 0 without a worker.',
      registers: [],
      collect() {
        this.set(worker()?.isUp === true ? 1 : 0)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'muster_worker_last_look_timestamp_seconds',
      help: 'When the worker of this process last looked for due work; 0 if it never did.',
      registers: [],
      collect() {
        this.set((worker()?.lookedAt ?? 0) / 1000)
      },
    }),
  )
}

function addSweepCounters(registry: Registry, { sweeps }: JobSource): void {
  registry.registerMetric(
    new Counter({
      name: 'muster_sweep_workspaces_total',
      help: 'Workspaces swept by this process.',
      registers: [],
      collect() {
        this.reset()
        this.inc(sweeps().workspaces)
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'muster_sweep_failures_total',
      help: 'Failed sweeps of a workspace in this process. Each is retried.',
      registers: [],
      collect() {
        this.reset()
        this.inc(sweeps().failures)
      },
    }),
  )
}
