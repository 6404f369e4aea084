import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'

import { everyOperation, type Operation, scopes } from '@muster/contract'
import * as fc from 'fast-check'

import { assertPromised } from './answers.ts'
import { Client } from './client.ts'
import { watchIdleLoop } from './loop-delay.ts'
import { readMetrics } from './metrics-urls.ts'
import { oddRequest, type OddRequest } from './odd-request.ts'
import { startProcess } from './process.ts'
import { setScene } from './scene.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes })
const service = await startProcess(host.url)
const manager = new Client(service.base, token)
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const rounds = Number(process.env['ROUNDS'] ?? 500)
const atOnce = 8
/** `malformed.test.ts` sends half of them, as odd bodies, to those that take one. */
const roundsOf = ({ body }: Operation) => Math.ceil(rounds / (body ? 2 : 1))
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })

interface Answer {
  readonly status: number
  readonly type: string
  readonly id: string
  readonly text: string
}

/** The key that odd requests are sent with: some of them end it. */
let odd = await home.issue({ scopes })

/** A connection that breaks off rejects. */
function send({ method, path, headers, body }: OddRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${odd.token}`, ...headers, ...sized(body) }
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

function assertRefused(sent: OddRequest, { status, type, id, text }: Answer): void {
  const shown = `${sent.method} ${sent.path.slice(0, 300)} ${JSON.stringify(sent.headers)}`
  assert.ok(status >= 200 && status < 500, `${status} for ${shown} ${text}`)
  if (status < 400) return
  assert.equal(type, 'application/problem+json', shown)
  if (sent.method === 'HEAD') return
  const body = JSON.parse(text)
  assert.equal(body.status, status)
  assert.equal(body.request_id, id)
  const url = new URL(sent.path, service.base)
  // A URL with dots in its path is another one once it is read; ours are not.
  if (!sent.path.startsWith(url.pathname)) return
  assertPromised({ method: sent.method, url }, { status, body })
}

async function sendAll(operation: Operation): Promise<Map<number, number>> {
  const scene = await setScene(manager)
  const all = fc.sample(oddRequest(operation, scene), { seed, numRuns: roundsOf(operation) })
  const statuses = new Map<number, number>()
  const sender = async (): Promise<void> => {
    for (let next = all.pop(); next; next = all.pop()) {
      const answer = await send(next)
      assertRefused(next, answer)
      if (answer.text.includes('key_revoked')) odd = await home.issue({ scopes })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
  return statuses
}

const idle = watchIdleLoop()

for (const { name, operation } of everyOperation()) {
  test(`${name}: ${roundsOf(operation)} malformed requests, no 5xx, no reset (seed ${seed})`, async () => {
    const statuses = await sendAll(operation)
    const refused = [...statuses].filter(([status]) => status >= 400).map(([, count]) => count)
    assert.ok(
      refused.reduce((sum, count) => sum + count, 0) > roundsOf(operation) / 3,
      JSON.stringify([...statuses]),
    )
  })
}

test('meanwhile everybody else was served: the event loop was never held up', async (t) => {
  agent.destroy()
  const text = await readMetrics(service.base)
  const p99 = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1])
  const unavoidable = await idle()
  const cpu = Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
  t.diagnostic(`${cpu} s of CPU for up to ${rounds} requests to each operation`)
  t.diagnostic(`p99 ${p99} s, of an idle process at the same time ${unavoidable} s`)
  assert.ok(p99 > 0 && unavoidable > 0, 'both were measured')
  // On a busy machine everyone waits for a turn; beyond that it is ours.
  assert.ok(p99 <= Math.max(0.05, unavoidable * 3), `${p99} s against ${unavoidable} s`)
  assert.equal(service.process.exitCode, null)
  assert.equal(service.log().match(/"level":[56]0/)?.[0], undefined, service.log().slice(-2000))
})
