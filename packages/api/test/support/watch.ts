import assert from 'node:assert/strict'
import { request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Client } from 'pg'

import { readMetrics } from './metrics-urls.ts'

/** An answer, and how long it took. */
export interface Timed {
  readonly status: number
  readonly code: string | null
  readonly ms: number
  readonly retryAfter: string | null
}

const stalls = monitorEventLoopDelay({ resolution: 10 })
stalls.enable()

/**
 * What the machine adds to every time that is measured here: for so long this process did not get
 * to run at all.
 */
export const stalledMs = () => stalls.max / 1e6

interface Ask {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** On a connection of its own, so that none is left open when it has been answered. */
export function timed(url: URL, { body, ...options }: Ask = {}): Promise<Timed> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => (text += chunk))
      reply.on('error', reject)
      reply.on('end', () => {
        const ms = performance.now() - began
        const { statusCode: status = 0, headers } = reply
        const isProblem = headers['content-type'] === 'application/problem+json'
        const code = isProblem ? String(JSON.parse(text).code) : null
        resolve({ status, code, ms, retryAfter: headers['retry-after'] ?? null })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The numbers of `/metrics`, by name and labels as they stand there. */
export async function metricsOf(base: string): Promise<Record<string, number>> {
  const text = await readMetrics(base)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

/** Waits until no connection of the service is doing anything but waiting for work. */
export async function untilIdle(sql: Client): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { rows } = await sql.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where application_name = 'muster' and datname = current_database() and state <> 'idle'`,
    )
    if (rows[0]?.count === 0) return
    // When a key was last used is noted a moment later, and who is due is looked for.
    assert.ok(tries < 20, `${rows[0]?.count} connections are held`)
    await sleep(100)
  }
}
