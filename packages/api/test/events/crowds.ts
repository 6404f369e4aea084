import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import { limits, scopes } from '@muster/contract'

import { readMetrics } from '#test/ops/metrics-urls'
import { Client } from '#test/support/client'
import { type Host, newWorkspace } from '#test/support/workspace'

/** A workspace with as many keys as `count` waiting requests need. */
export async function crowd(host: Host, count: number) {
  const home = await newWorkspace(host)
  const keys = Math.ceil(count / limits.followersPerKey)
  const tokens: string[] = []
  for (let key = 0; key < keys; key++) tokens.push((await home.issue({ scopes })).token)
  const clientOf = (index: number, base: string) =>
    new Client(base, tokens[index % tokens.length] ?? null)
  return { ...home, count, clientOf, writer: clientOf(0, host.base) }
}

type Crowd = Awaited<ReturnType<typeof crowd>>

const waitFor = (client: Client, after: string) =>
  client.get(`/v1/events?after=${after}`, { prefer: 'wait=50' })

export async function metricOf(bases: readonly string[], name: string): Promise<number> {
  const texts = await Promise.all(bases.map(readMetrics))
  const lines = texts.map((text) => text.split('\n').find((line) => line.startsWith(`${name} `)))
  return lines.reduce((sum, line) => sum + Number(line?.slice(name.length + 1) ?? Number.NaN), 0)
}

export async function untilFollowing(bases: readonly string[], count: number): Promise<void> {
  const end = performance.now() + 20_000
  const following = () => metricOf(bases, 'muster_http_followers{kind="wait"}')
  while ((await following()) < count) {
    assert.ok(performance.now() < end, `${await following()} of ${count} wait`)
    await sleep(50)
  }
}

/** All requests of the crowds at once, the same number to each process. */
export const joinAll = (crowds: readonly Crowd[], bases: readonly string[], after: string) =>
  crowds.flatMap(({ count, clientOf }) =>
    Array.from({ length: count }, (_, index) =>
      waitFor(clientOf(index, bases[index % bases.length] ?? ''), after),
    ),
  )
