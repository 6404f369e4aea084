import { Counter, Gauge, type Registry } from 'prom-client'

import type { SweepTotals } from '#domain/sweep'

/** The sweeps of this process. One process sweeps at a time: take the sum or the maximum of all. */
export function addSweepMetrics(registry: Registry, totals: () => SweepTotals): void {
  registry.registerMetric(
    new Counter({
      name: 'muster_swept_workspaces_total',
      help: 'Workspaces that this process has swept.',
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
      help: 'Sweeps of a workspace that failed in this process. Each is tried again.',
      registers: [],
      collect() {
        this.reset()
        this.inc(totals().failures)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'muster_sweep_last_timestamp_seconds',
      help: 'When this process last completed a sweep; 0 if it never has.',
      registers: [],
      collect() {
        this.set((totals().lastAt ?? 0) / 1000)
      },
    }),
  )
}
