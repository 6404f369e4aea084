import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'

import { atEnd } from '@muster/testing/at-end'
import { createCertificate, trustCertificate } from '@muster/testing/certificate'

import { egressPlacesMax, egressTimeouts } from '#egress/egress'
import { recordSockets } from '#test/support/sockets'

import { egressOf, startTarget } from './targets.ts'

recordSockets()
const certificate = createCertificate('IP:127.0.0.1')
trustCertificate(certificate)
const host = '127.0.0.1'
const allow = [host]
const short = { connectMs: 200, headersMs: 400, totalMs: 600 }

/** A server that sends these bytes for every connection, and then nothing. */
async function startSilent(bytes = ''): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined).write(bytes))
  server.listen(0, host)
  await once(server, 'listening')
  atEnd(async () => void server.close())
  // The cast holds because the server listens on a port.
  return (server.address() as AddressInfo).port
}

test('limits the time of the connection, the headers and the response', async () => {
  assert.deepEqual(egressTimeouts, { connectMs: 2000, headersMs: 4000, totalMs: 5000 })
  const egress = egressOf({ allow, timeouts: short })
  const began = performance.now()
  const urls = [
    `https://${host}:${await startSilent()}/`,
    `http://${host}:${await startSilent()}/`,
    `http://${host}:${await startSilent('HTTP/1.1 200 OK\r\nX: ')}/`,
    `http://${host}:${await startSilent('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nslow')}/`,
  ]
  await Promise.all(urls.map((url) => assert.rejects(egress(url), { reason: 'timed_out' }, url)))
  assert.ok(performance.now() - began < 10_000)
})

test('limits the time of a name server', async () => {
  const resolve = () => new Promise<string[]>(() => undefined)
  const egress = egressOf({ allow, resolve, timeouts: short })
  await assert.rejects(egress('https://slow.example/'), { reason: 'timed_out' })
})

test('ends with the signal of its caller', async () => {
  const egress = egressOf({ allow })
  const url = `http://${host}:${await startSilent()}/`
  const signal = AbortSignal.timeout(50)
  await assert.rejects(egress(url, { signal }), { reason: 'timed_out' })
  await assert.rejects(egress(url, { signal }), { reason: 'timed_out' })
})

test('reads at most 256 KiB of a response', async () => {
  const sizes = [256 * 1024, 256 * 1024 + 1]
  const target = await startTarget({
    host,
    answer: (_request, response) => response.end(Buffer.alloc(sizes.shift() ?? 0)),
  })
  const egress = egressOf({ allow })
  const url = `http://${host}:${target.port}/`
  assert.equal((await (await egress(url)).arrayBuffer()).byteLength, 256 * 1024)
  await assert.rejects(egress(url), { reason: 'response_too_large' })
})

test('has at most 50 requests in progress, and leaves some to other workspaces', async () => {
  assert.equal(egressPlacesMax, 50)
  const port = await startSilent()
  const egress = egressOf({ allow, timeouts: short, resolve: async () => [host] })
  const sendMany = (workspaceId: string) =>
    Array.from({ length: 51 }, (_, index) =>
      egress(`http://${workspaceId}${index % 6}.example:${port}/`, { workspaceId }),
    )
  const busy = ['a', 'b', 'c'].map((workspaceId) => countBusy(sendMany(workspaceId)))
  assert.deepEqual(await Promise.all(busy), [51 - 25, 51 - 12, 51 - 6])
  assert.equal(await countBusy(sendMany('b')), 51 - 25, 'the places are free again')
})

test('has at most 10 requests in progress to one host', async () => {
  const port = await startSilent()
  const egress = egressOf({ allow, timeouts: short, resolve: async () => [host] })
  const url = `http://h0.example:${port}/`
  assert.equal(await countBusy(Array.from({ length: 11 }, () => egress(url))), 1)
  await assert.rejects(egress(url), { reason: 'timed_out' })
})

async function countBusy(requests: Promise<Response>[]): Promise<number> {
  const all = await Promise.allSettled(requests)
  const reasons = all.map(
    (each) => each.status === 'rejected' && Reflect.get(each.reason, 'reason'),
  )
  return reasons.filter((reason) => reason === 'busy').length
}

test('refuses a response that is not HTTP', async () => {
  const egress = egressOf({ allow })
  for (const bytes of ['+PONG\r\n', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n']) {
    const url = `http://${host}:${await startSilent(bytes)}/`
    await assert.rejects(egress(url), { reason: 'invalid_response' })
  }
})

test('refuses an untrusted certificate and one for another host', async () => {
  const untrusted = createCertificate(`IP:${host}`)
  const target = await startTarget({ host, certificate: untrusted })
  const egress = egressOf({ allow, resolve: async () => [host] })
  await assert.rejects(egress(`https://${host}:${target.port}/`), {
    reason: 'untrusted_certificate',
  })
  const trusted = await startTarget({ host, certificate })
  await assert.rejects(egress(`https://other.example:${trusted.port}/`), {
    reason: 'untrusted_certificate',
  })
  assert.equal((await egress(`https://${host}:${trusted.port}/`)).status, 200)
})

test('reports a refused connection', async () => {
  const egress = egressOf({ allow })
  await assert.rejects(egress(`https://${host}:1/`), { reason: 'connection_failed' })
})

test('uses no proxy of the environment and always checks certificates', async () => {
  const proxy = await startTarget({ host })
  const target = await startTarget({ host, certificate: createCertificate(`IP:${host}`) })
  const url = `http://${host}:${proxy.port}`
  const egress = new URL('../../src/egress/egress.ts', import.meta.url).href
  const code = `import { createEgress } from '${egress}'
    const egress = createEgress({ allow: ['${host}'] }, { take: () => true, giveBack() {} })
    await egress('https://${host}:${target.port}/', { workspaceId: 'wsp_1' })
      .catch((error) => console.log(error.reason))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', code],
    {
      env: {
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: url,
        HTTPS_PROXY: url,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      },
      timeout: 30_000,
    },
  )
  assert.equal(stdout.trim(), 'untrusted_certificate')
  assert.deepEqual([proxy.connections(), target.connections()], [0, 1])
})
