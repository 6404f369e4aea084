import { setTimeout as sleep } from 'node:timers/promises'

import { Sweeper } from '#domain/sweep'

type Database = ConstructorParameters<typeof Sweeper>[0]

/** What the job tells whoever runs the service. */
export interface JobLog {
  info(facts: object, message: string): void
  error(facts: object, message: string): void
}

/**
 * Sweeps again and again until it is disposed of. Every process does so; the lease lets one of them
 * work. A sweep that fails is told and tried again: the next one finds what it left undone.
 */
export function startSweeper(database: Database, everySeconds: number, log: JobLog) {
  const sweeper = new Sweeper(database)
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      try {
        const swept = await sweeper.sweep(signal)
        if (swept && swept.items > 0) log.info(swept, 'flags were brought up to date')
      } catch (err) {
        log.error({ err }, 'a sweep failed')
      }
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
