import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { createCertificate, trustCertificate } from '@muster/testing/certificate'
import { measure } from '@muster/testing/measure'
import { startProvider } from '@muster/testing/provider'

import { startTarget } from '#test/egress/targets'
import { Client } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { metricsOf, timed } from '#test/support/watch'
import { listen, newWorkspace } from '#test/support/workspace'

import { ProviderBrowser, publicUrl } from './provider-browser.ts'
import { newPerson, startProviderHost } from './provider-host.ts'

const slowHost = '127.0.0.2'
const certificate = createCertificate('IP:127.0.0.1', `IP:${slowHost}`)
trustCertificate(certificate)
const { host, home, manager, newAccount, configure } = await startProviderHost()
const options = {
  publicUrl,
  // Two connections make four places.
  poolMax: 2,
  egress: { allow: ['127.0.0.0/8'] },
  timeouts: { ...longTimeouts, queueMs: 3000 },
}
const base = await listen(host.url, options)

/** Responses that wait until the test ends them. */
function startGate() {
  const { promise, resolve } = Promise.withResolvers<object>()
  const gate = {
    arrived: 0,
    open: () => resolve({}),
    wait: () => {
      gate.arrived += 1
      return promise
    },
  }
  return gate
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isTrue()); tries++) {
    assert.ok(tries < 500)
    await sleep(10)
  }
}

/** A workspace whose provider waits at one path, and a person of it. */
async function startSilent(path: string, wait: () => Promise<object>) {
  const { id, ...workspace } = await newWorkspace(host)
  const client = new Client(base, (await workspace.manager()).token)
  const accounts = new Map([['ada', { email: 'ada@example.com', email_verified: true }]])
  const redirectUris = [`${publicUrl}/sign-in/${id}/oidc/callback`]
  const replaced = { [path]: wait }
  const issuer = await startProvider({ certificate, redirectUris, accounts, replaced })
  await configure(client, { issuer })
  return { id, client, browser: new ProviderBrowser(base, id, 'ada') }
}

const workingOf = async (service = base) =>
  (await metricsOf(service))['muster_http_requests_in_flight{state="working"}']

test('a request that waits for an identity provider holds no place', async () => {
  const gate = startGate()
  const start = await startSilent('/.well-known/openid-configuration', gate.wait)
  const keys = await startSilent('/jwks', gate.wait)
  const callbacks: (() => Promise<{ status: number }>)[] = []
  for (const path of ['/token', '/jwks', '/me']) {
    const { browser } = await startSilent(path, gate.wait)
    const { href } = await browser.signInAtProvider()
    callbacks.push(() => browser.open(href))
  }

  const replies = [
    start.browser.start(),
    keys.client.post('/v1/workspace/sign-in/test', undefined),
    ...callbacks.map((open) => open()),
  ]
  await until(() => gate.arrived === replies.length)
  await until(async () => (await workingOf()) === 0)
  gate.open()
  const statuses = (await Promise.all(replies)).map(({ status }) => status)
  assert.deepEqual(statuses, [303, 200, 303, 303, 303])
  assert.equal(await workingOf(), 0)
})

test('a request whose client or time is gone leaves no place held', async () => {
  const gate = startGate()
  const { id } = await startSilent('/.well-known/openid-configuration', gate.wait)
  const handlerMs = { read: 500, write: 500, large: 500 }
  const hasty = await listen(host.url, { ...options, timeouts: { ...options.timeouts, handlerMs } })
  const start = (service: string, init: RequestInit = {}) =>
    fetch(`${service}/sign-in/${id}/oidc/start`, { redirect: 'manual', ...init })
  const clients = new AbortController()
  const { signal } = clients
  const gone = Promise.allSettled([1, 2, 3, 4].map(() => start(base, { signal })))
  const late = [1, 2, 3, 4].map(() => start(hasty))
  await until(() => gate.arrived === 8)
  clients.abort()
  for (const { status } of await Promise.all(late)) assert.equal(status, 503)
  for (const { status } of await gone) assert.equal(status, 'rejected')
  gate.open()
  await until(async () => (await workingOf(base)) === 0)
  await until(async () => (await workingOf(hasty)) === 0)
  assert.equal((await start(base)).status, 303)
})

test('at most two sign-in tests of a workspace run at once', async () => {
  const gate = startGate()
  const { client } = await startSilent('/jwks', gate.wait)
  const run = () => client.post('/v1/workspace/sign-in/test', undefined)
  const two = [run(), run()]
  await until(() => gate.arrived === 2)
  const third = await run()
  assert.equal(`${third.status} ${third.body.code}`, '429 too_many_sign_in_tests')
  assert.equal(third.headers.get('retry-after'), '5')
  const elsewhere = await new Client(base, manager.token).post(
    '/v1/workspace/sign-in/test',
    undefined,
  )
  assert.equal(elsewhere.status, 200, 'another workspace is not affected')
  gate.open()
  const statuses = (await Promise.all(two)).map(({ status }) => status)
  assert.deepEqual([...statuses, (await run()).status], [200, 200, 200])
})

test('a slow provider of one workspace does not stop the others', async (t) => {
  const gate = startGate()
  const { port } = await startTarget({
    host: slowHost,
    certificate,
    answer: (_request, response) => void gate.wait().then(() => response.end()),
  })
  const slow = await newWorkspace(host)
  const attacker = new Client(base, (await slow.manager()).token)
  await configure(attacker, { issuer: `https://${slowHost}:${port}` })
  const account = newAccount(await newPerson(manager))
  const read = () =>
    timed(new URL('/v1/projects?limit=1', base), {
      headers: { authorization: `Bearer ${manager.token}` },
    })
  const readMany = async () => {
    const replies = []
    for (let count = 0; count < 40; count++) replies.push(await read())
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    return replies.map(({ ms }) => ms).toSorted((a, b) => a - b)[20] ?? 0
  }
  const calmMs = await readMany()

  const waiting = Array.from({ length: 20 }, () => [
    attacker.post('/v1/workspace/sign-in/test', undefined),
    new ProviderBrowser(base, slow.id, 'x').start(),
  ]).flat()
  await until(() => gate.arrived >= 4)
  const slowMs = await readMany()
  const { location } = await new ProviderBrowser(base, home.id, account).signIn()
  assert.equal(location, '/')
  gate.open()
  for (const { status } of await Promise.all(waiting)) assert.ok(status < 500, String(status))
  measure(t, 'reads of another workspace, median', {
    value: slowMs / calmMs,
    atMost: 3,
    unit: 'times as long',
  })
})
