import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { mock, test } from 'node:test'

import { limits } from '@muster/contract'
import type { FastifyInstance, RouteOptions } from 'fastify'

import { issueToken } from '#domain/auth/token'
import { Browser, fromConsole, name as sessionName, outcome } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { sentDuring, type Statement, untilQuiet } from '#test/support/statements'
import { newWorkspace, startHost } from '#test/support/workspace'

import { assertRateLimited, limited, metric } from './limited.ts'

/** Every route of the service, as it was registered. */
const routes = new Map<string, RouteOptions>()
subscribe('fastify.initialization', (message) => {
  // The cast holds because Fastify publishes this on the channel.
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.set(`${method} ${route.url}`, route)
  })
})

const host = await startHost()
const home = await newWorkspace(host)
const trustedProxies = ['127.0.0.1']

interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: object
}

const page = `/sign-in/${home.id}`
const newFlow = () => `__Host-muster_oidc=${randomBytes(32).toString('base64url')}`
const newSession = () => `${sessionName}=${issueToken(home.id, 'session').token}`
const newChallenge = () => `__Host-muster_passkey=${randomBytes(32).toString('base64url')}`
const answer = {
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
}

/** A new request of each route that is open to anyone, and how many of them 2 failures allow. */
const requests: Readonly<Record<string, { allowed: number; make: () => Request }>> = {
  'GET /sign-in/workspaces': {
    allowed: 20,
    make: () => ({ method: 'GET', path: '/sign-in/workspaces' }),
  },
  'GET /sign-in/:workspace_id/methods': {
    allowed: 20,
    make: () => ({ method: 'GET', path: `${page}/methods` }),
  },
  'GET /sign-in/:workspace_id/oidc/start': {
    allowed: 8,
    make: () => ({ method: 'GET', path: `${page}/oidc/start` }),
  },
  'GET /sign-in/:workspace_id/oidc/callback': {
    allowed: 2,
    make: () => ({
      method: 'GET',
      path: `${page}/oidc/callback?code=x&state=y`,
      headers: { cookie: newFlow() },
    }),
  },
  'POST /sign-in/:workspace_id/link': {
    allowed: 2,
    make: () => ({
      method: 'POST',
      path: `${page}/link`,
      body: { token: issueToken(home.id, 'link').token },
    }),
  },
  'POST /sign-in/:workspace_id/link/preview': {
    allowed: 2,
    make: () => ({
      method: 'POST',
      path: `${page}/link/preview`,
      body: { token: issueToken(home.id, 'link').token },
    }),
  },
  'POST /sign-in/:workspace_id/link/passkey/options': {
    allowed: 2,
    make: () => ({
      method: 'POST',
      path: `${page}/link/passkey/options`,
      body: { link: issueToken(home.id, 'link').token },
    }),
  },
  'POST /sign-in/:workspace_id/link/passkey': {
    allowed: 2,
    make: () => ({
      method: 'POST',
      path: `${page}/link/passkey`,
      headers: { cookie: newChallenge() },
      body: {
        link: issueToken(home.id, 'link').token,
        name: 'Laptop',
        response: { ...answer, response: { clientDataJSON: 'x', attestationObject: 'x' } },
      },
    }),
  },
  'POST /sign-in/:workspace_id/passkey/options': {
    allowed: 8,
    make: () => ({ method: 'POST', path: `${page}/passkey/options`, body: {} }),
  },
  'POST /sign-in/:workspace_id/passkey': {
    allowed: 2,
    make: () => ({
      method: 'POST',
      path: `${page}/passkey`,
      headers: { cookie: newChallenge() },
      body: { response: answer },
    }),
  },
  'POST /session': {
    allowed: 2,
    make: () => ({
      method: 'POST',
      path: '/session',
      headers: { authorization: `Bearer ${issueToken(home.id).token}` },
    }),
  },
  'DELETE /session': {
    allowed: 2,
    make: () => ({ method: 'DELETE', path: '/session', headers: { cookie: newSession() } }),
  },
}

/** Sends a request from an address, and returns its status. */
async function statusOf(base: string, address: string, request: Request): Promise<number> {
  const { method, path, headers, body } = request
  const reply = await fetch(base + path, {
    method,
    redirect: 'manual',
    headers: {
      ...fromConsole,
      'x-forwarded-for': address,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  await reply.arrayBuffer()
  return reply.status
}

const isRead = ([name]: [string, RouteOptions]) => !/^(HEAD|OPTIONS) /.test(name)
const routesWith = (scope: string | undefined) =>
  Array.from(routes)
    .filter(isRead)
    .filter(([, route]) => route.config?.scope === scope)
    .map(([name]) => name)

test('limits every route that is open to anyone, and refuses without a query', async () => {
  assert.deepEqual(routesWith('none').toSorted(), Object.keys(requests).toSorted())
  const { base } = await limited(host, { failures: 2 }, { trustedProxies })
  const networks = [
    ['198.51.100.1', '198.51.100.1'],
    ['2001:db8::1', '2001:db8:0:0:ffff::2'],
  ]
  for (const [name, { allowed, make }] of Object.entries(requests)) {
    for (const [index, [first = '', second = '']] of networks.entries()) {
      const place = Object.keys(requests).indexOf(name)
      const at = (address: string) =>
        address.replace(/^198.51.100/, `198.51.${place}`).replace(/^2001:db8/, `2001:db8:${place}`)
      let served = 0
      while (served < 30 && (await statusOf(base, at(first), make())) !== 429) served += 1
      assert.equal(served, allowed, `${name} from ${networks[index]?.[0]}`)
      await untilQuiet()
      const sent = await sentDuring(async () => {
        for (let times = 0; times < 3; times++)
          assert.equal(await statusOf(base, at(second), make()), 429, name)
      })
      assert.deepEqual(sent, [], name)
    }
  }
  assert.ok((await metric(base, limitedBy('sign_in_page'))) >= 16)
  assert.ok((await metric(base, limitedBy('sign_in'))) >= 16)
})

const limitedBy = (limit: string) => `muster_http_requests_rate_limited_total{limit="${limit}"}`

test('sends no statement for routes without authentication', async () => {
  const paths = routesWith(undefined)
    .filter((name) => name.startsWith('GET '))
    .map((name) => name.slice(4).replaceAll(/:\w+|\*/g, 'x'))
  assert.ok(paths.length > 10, `${paths.length}`)
  await untilQuiet()
  const sent = await sentDuring(async () => {
    for (const path of paths) await statusOf(host.base, '', { method: 'GET', path })
  })
  // `/readyz` checks the schema in the background, at most once in 2 s.
  const isSchemaCheck = ({ sql }: Statement) => /kysely_migration|migration_checksums/.test(sql)
  assert.deepEqual(
    sent.filter((each) => !isSchemaCheck(each)),
    [],
  )
})

test('limits all attempts of a network together, also with few different secrets', async () => {
  const { base } = await limited(host, { failures: 6 })
  const sender = new Browser(base, '')
  const tokens = Array.from({ length: 5 }, () => issueToken(home.id, 'link').token)
  for (let sent = 0; sent < 24; sent++) {
    const reply = await sender.post(`${page}/link`, { token: tokens[sent % 5] })
    assert.equal(outcome(reply), '401 sign_in_refused')
  }
  assertRateLimited(await sender.post(`${page}/link`, { token: tokens[4] }), 'sign_in')
})

test('ends a session that was used recently, whatever others of its network did', async () => {
  const { base, key } = await limited(host, { failures: 1 })
  const owner = await key()
  const reply = await new Browser(base, '').startSession(owner.token)
  const browser = new Browser(base, reply.headers.get('set-cookie')?.split(';')[0] ?? '')
  assert.equal((await browser.get('/v1/whoami')).status, 200)
  const start = requests['GET /sign-in/:workspace_id/oidc/start']?.make()
  assert.ok(start)
  for (let sent = 0; sent < 4; sent++) await statusOf(base, '', start)
  assert.equal(await statusOf(base, '', start), 429)
  assert.equal((await browser.send('DELETE', '/session')).status, 204)
})

test('lets 500 people behind one address sign in within 5 minutes', async () => {
  const { perMinute, perFailure } = limits
  assert.equal(perMinute.failures * perFailure.signIn, 240)
  assert.equal(perMinute.failures * perFailure.signInPage, 600)
  const people = 500 / 5
  const { base } = await limited(host, perMinute)
  const failed: string[] = []
  const visit = async () => {
    const visited = [
      requests['GET /sign-in/workspaces'],
      requests['GET /sign-in/:workspace_id/methods'],
      requests['GET /sign-in/:workspace_id/oidc/start'],
      requests['POST /sign-in/:workspace_id/passkey/options'],
    ]
    for (const each of visited) {
      const request = each?.make()
      assert.ok(request)
      const status = await statusOf(base, '', request)
      if (status >= 400) failed.push(`${status} ${request.path}`)
    }
  }
  for (let done = 0; done < people; done += 10) await Promise.all(Array.from({ length: 10 }, visit))
  assert.deepEqual(failed, [])
})

test('reads the sign-in page once in 2 s, and then shows a change', async () => {
  const manager = await home.manager()
  const stranger = new Client(host.base, null)
  const path = `${page}/methods`
  // The clock stands still, because 200 requests can take longer than 2 s.
  let time = performance.now() + 10_000
  const clock = mock.method(performance, 'now', () => time)
  try {
    await untilQuiet()
    const sent = await sentDuring(() =>
      Promise.all(
        Array.from({ length: 100 }, async () => {
          assert.equal((await stranger.get(path)).body.has_provider, false)
          assert.equal((await stranger.get('/sign-in/workspaces')).status, 200)
        }),
      ),
    )
    const reads = (text: string) => sent.filter(({ sql }) => sql.includes(text)).length
    assert.ok(reads('sign_in_providers') <= 2, `${reads('sign_in_providers')} reads of methods`)
    assert.ok(reads('only_workspace') <= 2, `${reads('only_workspace')} reads of workspaces`)
    const { body } = await manager.get('/v1/workspace')
    const renamed = await manager.send('PATCH', '/v1/workspace', {
      body: { name: `${body.name} 2` },
    })
    assert.equal(renamed.status, 200, renamed.text)
    time += 2000
    assert.equal((await stranger.get(path)).body.workspace.name, `${body.name} 2`)
  } finally {
    clock.mock.restore()
  }
})

test('refuses a callback with a cookie of another form without a statement', async () => {
  const { base } = await limited(host, {})
  const callback = `${page}/oidc/callback?code=x&state=y`
  const send = (cookie: string) =>
    fetch(base + callback, { redirect: 'manual', headers: { cookie } })
  const unknown = await send(newFlow())
  await untilQuiet()
  const forms = ['x', randomBytes(16).toString('hex'), 'x'.repeat(44), `${'x'.repeat(42)}!`]
  const sent = await sentDuring(async () => {
    for (const each of forms) {
      const { status, headers } = await send(`__Host-muster_oidc=${each}`)
      assert.equal(status, 303)
      assert.equal(headers.get('location'), unknown.headers.get('location'))
      assert.equal(headers.get('ratelimit'), null)
    }
  })
  assert.deepEqual(sent, [])
})

test('records callbacks without a known flow once a minute for each network', async () => {
  const { base } = await limited(host, {}, { trustedProxies })
  const callback = requests['GET /sign-in/:workspace_id/oidc/callback']
  assert.ok(callback)
  const sent = await sentDuring(async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '203.0.113.1'])
      for (const headers of [{ cookie: newFlow() }, { cookie: newFlow() }, {}])
        assert.equal(await statusOf(base, address, { ...callback.make(), headers }), 303)
    await untilQuiet()
  })
  assert.equal(sent.filter(({ sql }) => sql.includes('insert into audit_entries')).length, 2)
})
