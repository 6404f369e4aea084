import assert from 'node:assert/strict'

import { type Rates, scopes } from '@muster/contract'

import { issueToken } from '#domain/token'
import type { ServiceOptions } from '#service'

import { Client, type Reply } from './client.ts'
import { told } from './console.ts'
import { readMetrics } from './metrics-urls.ts'
import { type Host, listen, newWorkspace, unlimited } from './workspace.ts'

/** A service on the host's database with limits of its own, whose counts begin at nothing. */
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
    /** Someone with a key that was never issued. */
    fake: () => new Client(base, issueToken(home.id).token),
  }
}

export const policy = ({ headers }: Reply) => headers.get('ratelimit-policy')

/** The RateLimit field without its times. */
export const left = ({ headers }: Reply) => headers.get('ratelimit')?.replaceAll(/;t=\d+/g, '')

export function assertTooMany(reply: Reply, limit: string): void {
  assert.equal(told(reply), '429 rate_limited')
  const { headers, body } = reply
  assert.equal(body.limit, limit)
  const reset = Number(/;t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1])
  assert.ok(reset > 0 && reset <= 60, `${reset}`)
  const wait = Number(headers.get('retry-after'))
  assert.ok(Number.isInteger(wait) && wait >= reset && wait <= reset + 6, `${wait} of ${reset}`)
  assert.equal(body.retry_after, wait)
  assert.equal(left(reply), `"${limit}";r=0`)
  assert.match(policy(reply) ?? '', new RegExp(`^"${limit}";q=\\d+;w=60$`))
  assert.equal(headers.get('cache-control'), 'no-store')
  const former = [...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))
  assert.deepEqual(former, [])
}

/** What `/metrics` says of one metric. */
export async function metric(base: string, name: string): Promise<number> {
  const text = await readMetrics(base)
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  assert.ok(line, `there is no metric ${name}`)
  return Number(line.slice(name.length + 1))
}
