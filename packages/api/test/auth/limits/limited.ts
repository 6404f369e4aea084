import assert from 'node:assert/strict'

import { type Rates, scopes } from '@muster/contract'

import { issueToken } from '#domain/auth/token'
import type { ServiceOptions } from '#service'
import { outcome } from '#test/auth/browser'
import { readMetrics } from '#test/ops/metrics-urls'
import { Client, type Reply } from '#test/support/client'
import { type Host, listen, newWorkspace, unlimited } from '#test/support/workspace'

/** A second service on the database of the host, with its own rate limits and new counters. */
export async function limited(
  host: Host,
  rates: Partial<Rates>,
  options: Partial<ServiceOptions> = {},
) {
  const base = await listen(host.url, { rates: { ...unlimited, ...rates }, ...options })
  const home = await newWorkspace(host)
  return {
    base,
    home,
    key: async () => new Client(base, (await home.issue({ scopes })).token),
    /** A client with a key that was never issued. */
    fake: () => new Client(base, issueToken(home.id).token),
  }
}

export const policy = ({ headers }: Reply) => headers.get('ratelimit-policy')

/** The RateLimit header without its reset times. */
export const remainingQuota = ({ headers }: Reply) =>
  headers.get('ratelimit')?.replaceAll(/;t=\d+/g, '')

export function assertRateLimited(reply: Reply, limit: string): void {
  assert.equal(outcome(reply), '429 rate_limited')
  const { headers, body } = reply
  assert.equal(body.limit, limit)
  const reset = Number(/;t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1])
  assert.ok(reset > 0 && reset <= 60, `${reset}`)
  const wait = Number(headers.get('retry-after'))
  assert.ok(Number.isInteger(wait) && wait >= reset && wait <= reset + 6, `${wait} of ${reset}`)
  assert.equal(body.retry_after, wait)
  assert.equal(remainingQuota(reply), `"${limit}";r=0`)
  assert.match(policy(reply) ?? '', new RegExp(`^"${limit}";q=\\d+;w=60$`))
  assert.equal(headers.get('cache-control'), 'no-store')
  const unofficial = [...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))
  assert.deepEqual(unofficial, [])
}

/** The value of one metric. */
export async function metric(base: string, name: string): Promise<number> {
  const text = await readMetrics(base)
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  assert.ok(line, `no metric ${name}`)
  return Number(line.slice(name.length + 1))
}
