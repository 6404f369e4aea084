import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createCertificate, trustCertificate } from '@muster/testing/certificate'

import { EgressError } from '#egress/egress-error'
import { recordSockets } from '#test/support/sockets'

import { egressOf, startTarget } from './targets.ts'
import { internalWays } from './ways.ts'

const attempts = recordSockets()
const certificate = createCertificate(
  'IP:127.0.0.1',
  'IP:127.0.0.2',
  'IP:::1',
  'DNS:localhost',
  'DNS:public.example',
)
trustCertificate(certificate)

const four = await startTarget({ host: '127.0.0.1', certificate })
const six = await startTarget({ host: '::1', port: four.port, certificate })
const plain = await startTarget({ host: '127.0.0.1' })
const ways = internalWays(four.port)

const isRefused = (error: unknown) =>
  error instanceof EgressError && /^(invalid_url|refused_address)$/.test(error.reason)

test('the internal servers can be reached without the checks', async () => {
  assert.ok(ways.length > 90, `${ways.length} ways`)
  const egress = egressOf({ allow: ['127.0.0.0/8', '::1'] })
  for (const host of ['127.0.0.1', '[::1]', '2130706433', '0177.0.0.1', '127。0。0。1']) {
    const response = await egress(`https://${host}:${four.port}/`)
    assert.equal(await response.text(), 'internal', host)
  }
  assert.deepEqual([four.connections(), six.connections()], [4, 1])
})

for (const { url, answers = [] } of ways) {
  const name = `${JSON.stringify(url)} ${answers.join()}`
  test(`opens no connection for ${name}`, async () => {
    const before = [four.connections(), six.connections(), attempts.length]
    const egress = egressOf({ allow: [], resolve: async () => answers })
    await assert.rejects(egress(url), isRefused)
    assert.deepEqual([four.connections(), six.connections(), attempts.length], before)
  })
}

test('refuses a host without an address', async () => {
  const egress = egressOf({ allow: [], resolve: async () => [] })
  await assert.rejects(egress('https://missing.example/'), { reason: 'unknown_host' })
})

test('gives one message for a name that does not exist and for one with an internal address', async () => {
  const messageFor = async (addresses: readonly string[]) => {
    const egress = egressOf({ allow: [], resolve: async () => addresses })
    const error: unknown = await egress('https://payroll.example/').catch((thrown) => thrown)
    assert.ok(error instanceof EgressError)
    return error.message
  }
  const message = await messageFor([])
  for (const address of ['10.0.0.7', '127.0.0.1', 'fd00::7', '169.254.169.254'])
    assert.equal(await messageFor([address]), message, address)
})

test('resolves a name once and connects to the checked address (DNS rebinding)', async () => {
  const allowed = await startTarget({ host: '127.0.0.2', port: four.port, certificate })
  const before = four.connections()
  const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1']]
  const resolve = async () => answers.shift() ?? []
  const egress = egressOf({ allow: ['127.0.0.2/32'], resolve })
  const response = await egress(`https://public.example:${four.port}/`)
  assert.equal(response.status, 200)
  assert.deepEqual([allowed.connections(), four.connections() - before], [1, 0])
  assert.equal(answers.length, 2)
  await assert.rejects(egress(`https://public.example:${four.port}/`), isRefused)
})

test('follows no redirect', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `https://127.0.0.1:${four.port}/`
    const redirecting = await startTarget({
      host: '127.0.0.2',
      certificate,
      answer: (_request, response) => response.writeHead(status, { location }).end(),
    })
    const before = four.connections()
    const egress = egressOf({ allow: ['127.0.0.2'] })
    const response = await egress(`https://127.0.0.2:${redirecting.port}/`)
    assert.equal(response.status, status)
    assert.equal(response.headers.get('location'), location)
    assert.equal(four.connections(), before)
  }
})

test('reaches what the operator allows: an address, a network or a name', async () => {
  const url = `https://public.example:${four.port}/path`
  const resolve = async () => ['127.0.0.1']
  for (const allow of [['127.0.0.1'], ['127.0.0.0/8'], ['public.example']]) {
    const response = await egressOf({ allow, resolve })(url)
    assert.equal(await response.text(), 'internal')
  }
  for (const allow of [['127.0.0.2'], ['other.example'], ['example']]) {
    await assert.rejects(egressOf({ allow, resolve })(url), isRefused)
  }
})

test('resolves an allowed name with the system, and no other name', async () => {
  const url = `https://localhost:${four.port}/`
  const response = await egressOf({ allow: ['localhost'] })(url)
  assert.equal(response.status, 200)
  await assert.rejects(egressOf({ allow: ['127.0.0.1'] })(url), isRefused)
})

test('speaks plain HTTP only to an allowed address', async () => {
  const url = `http://127.0.0.1:${plain.port}/`
  assert.equal((await egressOf({ allow: ['127.0.0.1'] })(url)).status, 200)
  const before = plain.connections()
  await assert.rejects(egressOf({ allow: ['127.0.0.2'] })(url), isRefused)
  assert.equal(plain.connections(), before)
})

test('sends the Host header of the URL', async () => {
  const egress = egressOf({ allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] })
  await egress(`https://public.example:${four.port}/`, { headers: { Host: 'other.example' } })
  assert.equal(four.hosts.at(-1), `public.example:${four.port}`)
})
