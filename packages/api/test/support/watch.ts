import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Client } from 'pg'

import { readMetrics } from '#test/ops/metrics-urls'

/** A response and its latency. */
export interface Timed {
  readonly status: number
  readonly code: string | null
  readonly ms: number
  readonly retryAfter: string | null
}

interface Ask {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Sends a request on a new connection, so that none stays open afterwards. */
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

/** The values of `/metrics` by name and labels, as printed there. */
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

/** Waits until this many statements wait for a lock in the database of the connection. */
export async function untilLocked(sql: Client, count = 1): Promise<void> {
  for (let tries = 1; ; tries++) {
    // In a transaction the server would show the same activity every time.
    await sql.query('select pg_stat_clear_snapshot()')
    const { rows } = await sql.query<{ count: number }>(
      `select count(distinct pid)::int as count from pg_locks where not granted
       and pid in (select pid from pg_stat_activity where datname = current_database())`,
    )
    if ((rows[0]?.count ?? 0) >= count) return
    assert.ok(tries < 3000, `${rows[0]?.count} statements wait for a lock, not ${count}`)
    await sleep(20)
  }
}

/** Waits until every database connection of the service is idle. */
export async function untilIdle(sql: Client): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { rows } = await sql.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where application_name = 'muster' and datname = current_database() and state <> 'idle'`,
    )
    if (rows[0]?.count === 0) return
    // The last use of a key is written after the response, and the sweep polls for due work.
    assert.ok(tries < 200, `${rows[0]?.count} connections are held`)
    await sleep(100)
  }
}
