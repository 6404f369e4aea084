import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'

import { type Operation, scopes } from '@muster/contract'
import { measure } from '@muster/testing/measure'
import * as fc from 'fast-check'

import { watchIdleLoop } from '#test/edge/loop-delay'
import { readMetrics } from '#test/ops/metrics-urls'
import { Client } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { startProcess } from '#test/support/process'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { malformedRequest, type MalformedRequest } from './malformed-request.ts'
import { assertPromised } from './response-schemas.ts'

const host = await startHost()
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes })
const service = await startProcess(host.url)
const manager = new Client(service.base, token)
const rounds = Number(process.env['ROUNDS'] ?? size(40, 1000))
const concurrency = 8
/** `malformed.test.ts` sends the other half, as arbitrary bodies, to operations with a body. */
const roundsOf = ({ body }: Operation) => Math.ceil(rounds / (body ? 2 : 1))
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

interface Answer {
  readonly status: number
  readonly type: string
  readonly id: string
  readonly text: string
}

/** The key for malformed requests: some of them revoke it. */
let disposableKey = await home.issue({ scopes })

/** Rejects when the connection breaks. */
function send({ method, path, headers, body }: MalformedRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${disposableKey.token}`, ...headers, ...sized(body) }
    const sent = request(service.base, { method, path, headers: all, agent }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => (text += chunk))
      reply.on('error', reject)
      reply.on('end', () => {
        const { 'content-type': type = '', 'request-id': id } = reply.headers
        resolve({ status: reply.statusCode ?? 0, type, id: String(id), text })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const sized = (body: Buffer | null) => body && { 'content-length': String(body.length) }

function assertRefused(sent: MalformedRequest, { status, type, id, text }: Answer): void {
  const shown = `${sent.method} ${sent.path.slice(0, 300)} ${JSON.stringify(sent.headers)}`
  assert.ok(status >= 200 && status < 500, `${status} for ${shown} ${text}`)
  if (status < 400) return
  assert.equal(type, 'application/problem+json', shown)
  if (sent.method === 'HEAD') return
  const body = JSON.parse(text)
  assert.equal(body.status, status)
  assert.equal(body.request_id, id)
  const url = new URL(sent.path, service.base)
  // The URL parser resolves dot segments and the service does not: no contract for such paths.
  if (!sent.path.startsWith(url.pathname)) return
  assertPromised({ method: sent.method, url }, { status, body })
}

async function sendAll(operation: Operation): Promise<Map<number, number>> {
  const fixture = await createFixture(manager)
  const all = fc.sample(malformedRequest(operation, fixture), {
    seed,
    numRuns: roundsOf(operation),
  })
  const statuses = new Map<number, number>()
  const sender = async (): Promise<void> => {
    for (let next = all.pop(); next; next = all.pop()) {
      const answer = await send(next)
      assertRefused(next, answer)
      if (answer.text.includes('key_revoked')) disposableKey = await home.issue({ scopes })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sender))
  return statuses
}

const idle = watchIdleLoop()

for (const { name, operation } of keyOperations()) {
  test(`${name}: answers ${roundsOf(operation)} malformed requests without 5xx or reset (seed ${seed})`, async () => {
    const statuses = await sendAll(operation)
    const refused = [...statuses].filter(([status]) => status >= 400).map(([, count]) => count)
    assert.ok(
      refused.reduce((sum, count) => sum + count, 0) > roundsOf(operation) / 3,
      JSON.stringify([...statuses]),
    )
  })
}

test('does not block the event loop during malformed requests', async (t) => {
  agent.destroy()
  const text = await readMetrics(service.base)
  const p99 = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1])
  const unavoidable = await idle()
  const cpu = Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
  t.diagnostic(`${cpu} s of CPU for up to ${rounds} requests to each operation`)
  assert.ok(p99 > 0 && unavoidable > 0, 'both were measured')
  // On a busy machine every process waits; only the excess counts.
  const atMost = Math.max(0.05, unavoidable)
  measure(t, 'p99 of the event loop lag', { value: p99, atMost, unit: 's' })
  assert.equal(service.process.exitCode, null)
  assert.equal(service.log().match(/"level":[56]0/)?.[0], undefined, service.log().slice(-2000))
})
