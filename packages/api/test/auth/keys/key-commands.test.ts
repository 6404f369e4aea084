import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { keyPattern, limits, scopes } from '@muster/contract'

import { issueToken, readToken } from '#domain/auth/token'
import { Client } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

const admin = fileURLToPath(new URL('../../../src/admin.ts', import.meta.url))

/** Runs `npm run admin -- …` in a process of its own. */
async function run(command: string) {
  const args = command.split(' ')
  const env = { ...process.env, DATABASE_URL: host.url }
  const { stdout, stderr, code } = await promisify(execFile)(process.execPath, [admin, ...args], {
    env,
  }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  )
  return { lines: stdout.trimEnd().split('\n'), stderr, code }
}

test('issues tokens of the published format, and detects every one-character typo', () => {
  const { token } = issueToken('wsp_01ktrr9d3hen4v9q9t9m2g8x5c')
  assert.match(token, new RegExp(keyPattern))
  assert.equal(token.length, 76)
  assert.equal(readToken(token)?.workspaceId, 'wsp_01ktrr9d3hen4v9q9t9m2g8x5c')
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'
  for (let at = 0; at < token.length; at++) {
    for (const letter of alphabet) {
      if (letter === token[at]) continue
      assert.equal(readToken(token.slice(0, at) + letter + token.slice(at + 1)), null)
    }
  }
})

test('bootstrap creates a workspace and prints one key alone on stdout', async () => {
  const { lines, stderr, code } = await run('bootstrap --workspace Acme')
  assert.equal(code, 0)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', new RegExp(keyPattern))
  assert.match(stderr, /Created the workspace Acme \(wsp_/)
  assert.ok(!stderr.includes(lines[0] ?? ''))

  const { status, body } = await new Client(host.base, lines[0] ?? '').get('/v1/whoami')
  assert.equal(status, 200)
  assert.equal(body.workspace.name, 'Acme')
  assert.deepEqual(
    body.key.scopes,
    scopes.filter((scope) => scope.endsWith('.manage')),
  )
  const hours = (Date.parse(body.key.expires_at) - Date.parse(body.key.created_at)) / 3_600_000
  assert.equal(hours, 24)

  const again = await run('bootstrap --workspace Acme')
  assert.match(again.stderr, /Acme exists/)
  const other = await new Client(host.base, again.lines[0] ?? '').get('/v1/whoami')
  assert.equal(other.body.workspace.id, body.workspace.id)
})

test('creates, lists and revokes keys by command', async () => {
  await run('bootstrap --workspace Keys')
  const made = await run(
    'key create --workspace Keys --name Payroll --scopes personnel.manage,projects.read --expires-in-days 7',
  )
  const token = made.lines.at(-1) ?? ''
  const client = new Client(host.base, token)
  const { body } = await client.get('/v1/whoami')
  assert.deepEqual(body.key.scopes, ['personnel.manage', 'projects.read'])
  assert.equal(body.key.name, 'Payroll')
  assert.equal(body.key.hint, token.slice(38, 42))
  const days = (Date.parse(body.key.expires_at) - Date.parse(body.key.created_at)) / 86_400_000
  assert.equal(days, 7)

  const forever = await run('key create --workspace Keys --name x --scopes keys.read --no-expiry')
  const eternal = await new Client(host.base, forever.lines.at(-1) ?? '').get('/v1/whoami')
  assert.equal(eternal.body.key.expires_at, null)

  const listed = await run('key list --workspace Keys')
  assert.equal(listed.lines.length, 4, 'a header, the first key, and two more')
  assert.ok(listed.lines.some((line) => line.startsWith(`${body.key.id}\tactive`)))
  assert.ok(!listed.lines.join().includes(token))

  assert.equal((await run(`key revoke ${body.key.id} --workspace Keys`)).code, 0)
  assert.equal((await client.get('/v1/whoami')).body.code, 'key_revoked')
})

test('key revoke accepts an id, and refuses a secret without repeating it', async () => {
  await run('bootstrap --workspace Leaks')
  const made = await run('key create --workspace Leaks --name Leaked --scopes keys.read')
  const secret = made.lines.at(-1) ?? ''
  const { lines, stderr, code } = await run(`key revoke ${secret} --workspace Leaks`)
  assert.equal(code, 2)
  assert.deepEqual(lines, [''])
  assert.equal(
    stderr,
    'error: Give the id of the key (key_…), never its secret. `key list` shows the ids.\n',
  )
  assert.equal((await new Client(host.base, secret).get('/v1/whoami')).status, 200)
})

test('prints the reason for a failed command on stderr, and nothing on stdout', async () => {
  const cases: [string, number, RegExp][] = [
    ['key create --workspace Nowhere --name x --scopes keys.read', 1, /no workspace named Nowhere/],
    ['key create --workspace Acme --name x --scopes all', 2, /no scope 'all'/],
    ['key create --name x --scopes keys.read --expires-in-days 367', 2, /1 to 366/],
    ['key list', 1, /several workspaces/],
    ['key revoke key_00000000000000000000000000 --workspace Acme', 1, /no key key_0/],
    ['key revoke nonsense', 2, /Give the id of the key/],
    ['key revoke key_nonsense --workspace Acme', 2, /Give the id of the key/],
    ['key revoke usr_01ktrr9d3hen4v9q9t9m2g8x5c --workspace Acme', 2, /Give the id of the key/],
  ]
  for (const [command, exitCode, why] of cases) {
    const { lines, stderr, code } = await run(command)
    assert.equal(code, exitCode, command)
    assert.deepEqual(lines, [''], command)
    assert.match(stderr, why)
  }
})

test('whoami returns the key, its workspace, the limits and the usage', async () => {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  await manager.post('/v1/personnel', { name: 'Ada' })
  await host.sql.query('update workspace_counters set people_max = 7 where workspace_id = $1', [
    home.uuid,
  ])
  const { body, headers } = await manager.get('/v1/whoami')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('etag'), null)
  assert.equal(body.workspace.id, home.id)
  assert.equal(body.limits.quota.people, 7)
  assert.equal(body.limits.quota.groups, limits.quota.groups)
  assert.equal(body.usage.people, 1)
  assert.equal(body.key.status, 'active')
})

test('records the last use of a key with one write a minute', async () => {
  const home = await newWorkspace(host)
  const { id } = await home.issue({ scopes })
  const { token } = await home.issue({ scopes })
  const client = new Client(host.base, token)
  await client.get('/v1/whoami')
  await new Promise((resolve) => setTimeout(resolve, 200))
  const first = (await client.get('/v1/whoami')).body.key.last_used_at
  assert.ok(Date.now() - Date.parse(first) < 60_000)
  for (let use = 0; use < 20; use++) await client.get('/v1/whoami')
  assert.equal((await client.get('/v1/whoami')).body.key.last_used_at, first)
  const { rows } = await host.sql.query(
    `select count(last_used_at)::int as used from api_keys where workspace_id = $1`,
    [home.uuid],
  )
  assert.equal(rows[0].used, 1, `the key ${id} was never used`)
})

test('stores no key in plain text', async () => {
  const home = await newWorkspace(host)
  const { token } = await home.issue({ scopes })
  const { rows } = await host.sql.query(
    `select row_to_json(k)::text as text from api_keys k
     union all select row_to_json(e)::text from events e
     union all select row_to_json(h)::text from history h`,
  )
  const secret = token.slice(38)
  assert.ok(!rows.some(({ text }) => text.includes(secret)))
})
