import { Counter, Gauge, type Registry } from 'prom-client'

import type { SweepTotals } from '#domain/workspace/sweep'

/** Metrics of the sweeper. One process sweeps at a time: aggregate by sum or maximum. */
export function addSweepMetrics(registry: Registry, totals: () => SweepTotals): void {
  registry.registerMetric(
    new Counter({
      name: 'muster_sweep_workspaces_total',
      help: 'Workspaces swept by this process.',
      registers: [],
      collect() {
        this.reset()
        this.inc(totals().workspaces)
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
        this.inc(totals().failures)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'muster_sweep_last_run_timestamp_seconds',
      help: 'Time of the last completed sweep of this process; 0 if there is none.',
      registers: [],
      collect() {
        this.set((totals().lastAt ?? 0) / 1000)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'muster_sweep_last_run_duration_seconds',
      help: 'Duration of the last completed sweep of this process; 0 if there is none.',
      registers: [],
      collect() {
        this.set(totals().lastMs / 1000)
      },
    }),
  )
}
