import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'

import { generate, generateByNode } from '#bench/load/generate'
import type { Load } from '#bench/load/request'

const idleMs = 200

/** Closes idle connections, as the service does after a longer time. */
async function startImpatient() {
  const statuses: number[] = [200]
  const seen = { connections: 0, bodies: [] as string[] }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data: Buffer) => (body += data.toString()))
    request.on('end', () => {
      seen.bodies.push(body)
      response.statusCode = statuses[seen.bodies.length % statuses.length] ?? 200
      response.end()
    })
  })
  server.on('connection', (socket) => {
    seen.connections += 1
    socket.setTimeout(idleMs, () => socket.destroy())
  })
  server.keepAliveTimeout = idleMs
  server.keepAliveTimeoutBuffer = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    base: `http://127.0.0.1:${port}`,
    statuses,
    seen,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const loadOf = (base: string, changes: Partial<Load>): Load => ({
  base,
  requests: [{ path: '/', token: 'some' }],
  connections: 4,
  seconds: 1,
  warmSeconds: 0.5,
  rate: null,
  ...changes,
})

test('connections that idle longer than the server allows are no failures', async () => {
  using server = await startImpatient()
  // Each connection has a request every 1.6 s.
  const load = loadOf(server.base, { connections: 16, rate: 10, seconds: 2 })
  const { failures, byStatus } = await generateByNode(load)
  assert.deepEqual(Object.keys(byStatus), ['200'])
  assert.equal(failures, 0)
  assert.ok(server.seen.connections > load.connections, 'the server closed no connection')
})

for (const [name, send] of [
  ['the generator of the machine', generate],
  ['the generator in Node', generateByNode],
] as const) {
  test(`${name} counts the responses of each status`, async () => {
    using server = await startImpatient()
    server.statuses.push(304)
    const { byStatus, failures, sent } = await send(loadOf(server.base, {}))
    assert.deepEqual(Object.keys(byStatus), ['200', '304'])
    assert.equal(failures, 0)
    assert.ok(sent >= (byStatus['200']?.count ?? 0) + (byStatus['304']?.count ?? 0))
    for (const { p50, p99, perSecond } of Object.values(byStatus))
      assert.ok(p50 > 0 && p99 >= p50 && perSecond > 0)
  })

  test(`${name} sends the requests in turn, each with a number of its own`, async () => {
    using server = await startImpatient()
    const requests = ['a', 'b'].map((kind) => ({
      path: '/',
      token: 'some',
      method: 'POST' as const,
      body: `${kind} {n}`,
    }))
    await send(loadOf(server.base, { requests }))
    const { bodies } = server.seen
    const kinds = Map.groupBy(bodies, ([kind]) => kind)
    assert.deepEqual(new Set(kinds.keys()), new Set(['a', 'b']))
    const [a = 0, b = 0] = [kinds.get('a')?.length, kinds.get('b')?.length]
    assert.ok(Math.abs(a - b) <= 8, `${a} and ${b}`)
    assert.equal(new Set(bodies).size, bodies.length)
    assert.match(bodies[0] ?? '', /^[ab] \d{16}$/)
  })
}
