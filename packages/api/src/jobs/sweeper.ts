import { setTimeout as sleep } from 'node:timers/promises'

import type { Sweeper } from '#domain/workspace/sweep'

/** The logger of a background job. */
export interface JobLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The maximum number of log lines of one kind per sweep; further ones are only counted. */
const logLinesMax = 5

/**
 * Sweeps at this interval until it is disposed of. Every process runs it, and a job lock lets one
 * of them work. A failed sweep is logged, and the next one continues its work.
 */
export function startSweeper(sweeper: Sweeper, everySeconds: number, log: JobLog) {
  const controller = new AbortController()
  const { signal } = controller
  const run = async () => {
    while (!signal.aborted) {
      await sweepOnce(sweeper, signal, log)
      await sleep(everySeconds * 1000, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      controller.abort()
      await running
      await sweeper.stop().catch(() => {})
    },
  }
}

async function sweepOnce(sweeper: Sweeper, signal: AbortSignal, log: JobLog): Promise<void> {
  let [failures, unknownZones] = [0, 0]
  const onFailure = (workspace_id: string, err: unknown) => {
    failures += 1
    if (failures <= logLinesMax) log.error({ workspace_id, err }, 'a workspace could not be swept')
  }
  const onUnknownZone = (workspace_id: string) => {
    unknownZones += 1
    if (unknownZones > logLinesMax) return
    log.warn({ workspace_id }, 'PostgreSQL does not know the time zone of a workspace: UTC is used')
  }
  try {
    const swept = await sweeper.sweep({ signal, onFailure, onUnknownZone })
    if (swept && swept.items > 0) log.info(swept, 'flags were updated')
  } catch (err) {
    log.error({ err }, 'a sweep failed')
  }
  if (failures > logLinesMax) log.error({ failures }, 'workspaces could not be swept')
  if (unknownZones > logLinesMax)
    log.warn({ unknown_zones: unknownZones }, 'time zones are unknown')
}
