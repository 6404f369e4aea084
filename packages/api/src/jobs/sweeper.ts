import { setTimeout as sleep } from 'node:timers/promises'

import type { Sweeper } from '#domain/sweep'

/** Where the job reports to the operator. */
export interface JobLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** How many lines of one kind a sweep logs before it only counts. */
const linesMax = 5

/**
 * Sweeps at this interval until it is disposed of. Every process does so; the lease lets one of
 * them work. A sweep that fails is logged, and the next one does what it left undone.
 */
export function startSweeper(sweeper: Sweeper, everySeconds: number, log: JobLog) {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      await sweepOnce(sweeper, signal, log)
      await sleep(everySeconds * 1000, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      await sweeper.stop().catch(() => {})
    },
  }
}

async function sweepOnce(sweeper: Sweeper, signal: AbortSignal, log: JobLog): Promise<void> {
  let [failures, unknownZones] = [0, 0]
  const onFailure = (workspace_id: string, err: unknown) => {
    failures += 1
    if (failures <= linesMax) log.error({ workspace_id, err }, 'a workspace could not be swept')
  }
  const onUnknownZone = (workspace_id: string) => {
    unknownZones += 1
    if (unknownZones > linesMax) return
    log.warn({ workspace_id }, 'PostgreSQL does not know the time zone of a workspace: UTC is used')
  }
  try {
    const swept = await sweeper.sweep({ signal, onFailure, onUnknownZone })
    if (swept && swept.items > 0) log.info(swept, 'flags were brought up to date')
  } catch (err) {
    log.error({ err }, 'a sweep failed')
  }
  if (failures > linesMax) log.error({ failures }, 'workspaces could not be swept')
  if (unknownZones > linesMax) log.warn({ unknown_zones: unknownZones }, 'time zones are unknown')
}
