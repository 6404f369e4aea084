import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'
import { measure } from '@muster/testing/measure'

import { revokeKey } from '#domain/auth/keys'
import { issueToken } from '#domain/auth/token'
import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const samples = Number(process.env['SAMPLES'] ?? size(100, 20_000))
const seed = Number(process.env['SEED'] ?? 7)

const expired = await home.issue({ scopes, expiresInHours: -1 })
const revoked = await home.issue({ scopes })
await revokeKey(home.admin, revoked.id)
const tokens = {
  unknown: issueToken(home.id).token,
  expired: expired.token,
  revoked: revoked.token,
}
const kinds = ['unknown', 'expired', 'revoked'] as const

test('reveals only that a key is unknown or malformed', async () => {
  const real = await home.issue({ scopes })
  for (const { token, code } of [
    ...Array.from({ length: 20 }, () => ({
      token: issueToken(home.id).token,
      code: 'unknown_key',
    })),
    ...real.token.split('').map((letter, place) => ({
      token:
        real.token.slice(0, place) + (letter === 'z' ? 'y' : 'z') + real.token.slice(place + 1),
      code: 'malformed_key',
    })),
    { token: real.token.slice(0, -7), code: 'malformed_key' },
    { token: `${real.token}0`, code: 'malformed_key' },
    { token: real.id, code: 'malformed_key' },
  ]) {
    const { status, body } = await new Client(host.base, token).get('/v1/whoami')
    assert.equal(`${status} ${body.code}`, `401 ${code}`, token)
  }
})

test('sends the same headers for unknown, expired and revoked keys', async () => {
  const seen = new Set<string>()
  for (const kind of kinds) {
    const { headers } = await new Client(host.base, tokens[kind]).get('/v1/whoami')
    // The remaining rate limit decreases by one each time.
    const own = new Set(['request-id', 'traceparent', 'date', 'content-length', 'ratelimit'])
    const shared = [...headers].filter(([name]) => !own.has(name))
    seen.add(JSON.stringify(shared))
  }
  assert.equal(seen.size, 1, [...seen].join('\n'))
})

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Drops the slowest 10 %, which are noise of the machine. */
const trimmed = (values: number[]) =>
  values.toSorted((a, b) => a - b).slice(0, Math.ceil(values.length * 0.9))

/** Welch's t: the significance of the difference of two means. */
function welch(a: number[], b: number[]): number {
  const variance = (values: number[]) => {
    const middle = mean(values)
    return mean(values.map((value) => (value - middle) ** 2)) / values.length
  }
  return Math.abs(mean(a) - mean(b)) / Math.sqrt(variance(a) + variance(b))
}

test(`takes the same time for unknown, expired and revoked keys (${samples} each)`, async (t) => {
  const { base } = await startProcess(host.url)
  const times = { unknown: [] as number[], expired: [] as number[], revoked: [] as number[] }
  const clients = Object.fromEntries(kinds.map((kind) => [kind, new Client(base, tokens[kind])]))
  for (let round = -20; round < samples; round++) {
    // In rotating order, so that no kind always follows the same one.
    const turn = (round + seed + 20) % kinds.length
    for (const kind of [...kinds.slice(turn), ...kinds.slice(0, turn)]) {
      const began = performance.now()
      const reply = await clients[kind]?.get('/v1/whoami')
      assert.equal(reply?.status, 401)
      if (round >= 0) times[kind].push(performance.now() - began)
    }
  }
  const trimmedTimes = kinds.map((kind) => trimmed(times[kind]))
  const means = trimmedTimes.map(mean)
  const spread = Math.max(...means) / Math.min(...means) - 1
  const [unknown = [], gone = [], ended = []] = trimmedTimes
  const tValues = [welch(unknown, gone), welch(unknown, ended), welch(gone, ended)]
  t.diagnostic(`${means.map((ms) => ms.toFixed(3)).join(', ')} ms, ${(spread * 100).toFixed(1)} %`)
  t.diagnostic(`Welch's t: ${tValues.map((value) => value.toFixed(1)).join(', ')}`)
  // A few hundred samples on a busy machine differ by chance; 20 000 do not.
  const allowed = samples >= 20_000 ? 0.05 : 0.25
  measure(t, 'difference of the means', { value: 100 * spread, atMost: 100 * allowed, unit: '%' })
})
