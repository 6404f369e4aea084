import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { limits, scopes } from '@muster/contract'

import { revokeKey } from '#domain/auth/keys'
import { issueToken, readToken } from '#domain/auth/token'
import { Browser, isStored, name, signIn, outcome, tokenOf } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const { token: key } = await home.issue({ scopes })
const [one, two] = await Promise.all([
  startProcess(host.url, { LOG_LEVEL: 'trace' }),
  startProcess(host.url),
])

const look = async (who: Client) => outcome(await who.get('/v1/scale'))

test('refuses an expired session, and deletes it at the next sign-in', async () => {
  const [old, other] = [await signIn(host.base, key), await signIn(host.base, key)]
  const { token } = await home.issue({ scopes })
  const hash = readToken(tokenOf(old), 'session')?.hash
  await host.sql.query('update sessions set expires_at = now() where hash = $1', [hash])
  assert.equal(await look(old), '401 session_ended')
  assert.equal(await isStored(host.sql, old), true)
  await signIn(host.base, token)
  assert.equal(await isStored(host.sql, old), false)
  assert.equal(await look(other), '200')
})

test('ends a session when its key expires or is revoked by another process', async () => {
  const { id, token } = await home.issue({ scopes })
  const browser = await signIn(host.base, token)
  const expire = 'update api_keys set expires_at = $1 where hash = $2'
  const { hash } = readToken(token) ?? {}
  await host.sql.query(expire, [new Date(), hash])
  assert.equal(await look(browser), '401 key_expired')
  await host.sql.query(expire, [null, hash])
  assert.equal(await look(browser), '200')
  await revokeKey(home.admin, id)
  assert.equal(await look(browser), '401 key_revoked')
})

for (const [what, expected] of [
  ['revoked', '401 key_revoked'],
  ['signed out', '401 session_ended'],
] as const) {
  test(`refuses a session that was ${what} on the next request, 50 times out of 50`, async () => {
    for (let round = 0; round < 50; round++) {
      const { id, token } = await home.issue({ scopes })
      const here = await signIn(one.base, token)
      const there = new Browser(two.base, here.cookie)
      assert.deepEqual(await Promise.all([look(here), look(there)]), ['200', '200'])
      if (what === 'revoked') await revokeKey(home.admin, id)
      else await here.send('DELETE', '/session')
      assert.deepEqual(await Promise.all([look(here), look(there)]), [expected, expected])
    }
  })
}

test('ends the oldest session of a key beyond 100', async () => {
  const workspace = await newWorkspace(host)
  const { token } = await workspace.issue({ scopes })
  const other = await signIn(host.base, (await workspace.issue({ scopes })).token)
  const [first, second] = [await signIn(host.base, token), await signIn(host.base, token)]
  const most = limits.sessionsPerKeyMax
  for (let count = 2; count < most; count++) await signIn(host.base, token)
  assert.equal(await look(first), '200')
  const newest = await signIn(host.base, token)
  assert.deepEqual([await look(first), await look(second)], ['401 session_ended', '200'])
  const bases = [host.base, one.base, two.base]
  const many = Array.from({ length: 30 }, (_, index) => signIn(bases[index % 3] ?? '', token))
  for (const each of await Promise.all(many)) assert.equal(await look(each), '200')
  const count = 'select count(*)::int from sessions where workspace_id = $1'
  const { rows } = await host.sql.query(count, [workspace.uuid])
  assert.equal(rows[0].count, most + 1)
  assert.deepEqual([await look(newest), await look(other)], ['200', '200'])
})

test('authenticates many concurrent callers as themselves, with keys and with sessions', async () => {
  const callers: { who: Client; id: string }[] = []
  for (const workspace of [home, await newWorkspace(host)]) {
    for (let count = 0; count < 5; count++) {
      const { id, token } = await workspace.issue({ scopes })
      callers.push({ who: new Client(host.base, token), id })
      callers.push({ who: await signIn(host.base, token), id })
    }
  }
  const requests = [...callers, ...callers, ...callers]
  const found = await Promise.all(
    requests.map(async ({ who }) => (await who.get('/v1/whoami')).body.key.id),
  )
  assert.deepEqual(
    found,
    requests.map(({ id }) => id),
  )
})

test('refuses a session in another workspace', async () => {
  const theirs = await newWorkspace(host)
  const browser = await signIn(host.base, key)
  const swapped = tokenOf(browser).replace(home.id.slice(4), theirs.id.slice(4))
  assert.equal(await look(new Browser(host.base, `${name}=${swapped}`)), '401 session_ended')
  await host.sql.query('begin')
  await host.sql.query(
    `select set_config('app.ws', $1, true), set_config('role', 'muster_app', true)`,
    [theirs.uuid],
  )
  const seen = await host.sql.query('select hash from sessions')
  const ended = await host.sql.query('delete from sessions')
  await host.sql.query('rollback')
  assert.deepEqual([seen.rowCount, ended.rowCount], [0, 0])
  assert.equal(await look(browser), '200')
})

test('stores and logs neither sessions nor keys', async () => {
  const { token } = await home.issue({ scopes })
  const browser = await signIn(one.base, token)
  await browser.get('/v1/personnel')
  await browser.get('/v1/nothing')
  await new Browser(one.base, `${browser.cookie}; ${browser.cookie}`).get('/v1/risks')
  await browser.startSession(issueToken(home.id).token)
  const { rows } = await host.sql.query('select row_to_json(s)::text as text from sessions s')
  await browser.send('DELETE', '/session')
  await sleep(100)
  assert.match(one.log(), /"operation":"session\.start","method":"POST","status":201/)
  assert.match(one.log(), /"operation":"session\.end","method":"DELETE","status":204/)
  const secrets = [tokenOf(browser).slice(-38), token.slice(-38), 'muster_session', 'muster_key']
  for (const secret of secrets) {
    assert.ok(!one.log().includes(secret))
    assert.ok(!rows.some(({ text }) => text.includes(secret)))
  }
})
