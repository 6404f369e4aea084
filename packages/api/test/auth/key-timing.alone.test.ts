import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { revokeKey } from '#domain/keys'
import { issueToken } from '#domain/token'

import { Client } from './client.ts'
import { startProcess } from './process.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const home = await newWorkspace(host)
const samples = Number(process.env['SAMPLES'] ?? 300)
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

test('whoever holds no real secret learns only that', async () => {
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

test('the headers of a refusal do not tell which of them it is', async () => {
  const seen = new Set<string>()
  for (const kind of kinds) {
    const { headers } = await new Client(host.base, tokens[kind]).get('/v1/whoami')
    // What is left of the limit is one less each time, whatever was tried.
    const own = new Set(['request-id', 'date', 'content-length', 'ratelimit'])
    const told = [...headers].filter(([name]) => !own.has(name))
    seen.add(JSON.stringify(told))
  }
  assert.equal(seen.size, 1, [...seen].join('\n'))
})

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Without the slowest tenth, which is the machine's and not ours. */
const calm = (values: number[]) =>
  values.toSorted((a, b) => a - b).slice(0, Math.ceil(values.length * 0.9))

/** How sure the difference of two means is: Welch's t. */
function welch(a: number[], b: number[]): number {
  const variance = (values: number[]) => {
    const middle = mean(values)
    return mean(values.map((value) => (value - middle) ** 2)) / values.length
  }
  return Math.abs(mean(a) - mean(b)) / Math.sqrt(variance(a) + variance(b))
}

test(`the time of a refusal does not tell it either (${samples} each)`, async (t) => {
  const { base } = await startProcess(host.url)
  const times = { unknown: [] as number[], expired: [] as number[], revoked: [] as number[] }
  const clients = Object.fromEntries(kinds.map((kind) => [kind, new Client(base, tokens[kind])]))
  for (let round = -20; round < samples; round++) {
    // In another order each time, so that none always comes after the same one.
    const turn = (round + seed + 20) % kinds.length
    for (const kind of [...kinds.slice(turn), ...kinds.slice(0, turn)]) {
      const began = performance.now()
      const reply = await clients[kind]?.get('/v1/whoami')
      assert.equal(reply?.status, 401)
      if (round >= 0) times[kind].push(performance.now() - began)
    }
  }
  const calmed = kinds.map((kind) => calm(times[kind]))
  const means = calmed.map(mean)
  const spread = Math.max(...means) / Math.min(...means) - 1
  const [unknown = [], gone = [], ended = []] = calmed
  const sure = [welch(unknown, gone), welch(unknown, ended), welch(gone, ended)]
  t.diagnostic(`${means.map((ms) => ms.toFixed(3)).join(', ')} ms, ${(spread * 100).toFixed(1)} %`)
  t.diagnostic(`Welch's t: ${sure.map((value) => value.toFixed(1)).join(', ')}`)
  // A few hundred samples on a busy machine differ by chance; twenty thousand do not.
  const allowed = samples >= 20_000 ? 0.05 : 0.25
  assert.ok(spread < allowed, `the means differ by ${(spread * 100).toFixed(1)} %`)
})
