import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { base, commandsOf, createCluster, follow, startStandby, version } from './debian-cluster.ts'

/**
 * `npm test -- --long point-in-time`: follows docs/operate/backup.md on a cluster of its own, after
 * clients have written.
 */
function obstacle(): string | false {
  if (process.env['MUSTER_LONG'] !== '1') return 'runs only with --long'
  if (process.getuid?.() !== 0) return 'requires Linux and root'
  if (version === undefined) return 'not installed: postgresql of Debian'
  const { status } = spawnSync('sh', ['-c', 'command -v pgbackrest pg_createcluster'])
  return status === 0 ? false : 'not installed: pgbackrest'
}

const guide = 'docs/operate/backup.md'
const selfHost = 'docs/guides/self-host.md'
const commands = (page: string, title: string) => commandsOf(page, title).join('')

interface Reply {
  readonly status: number
  readonly etag: string
  readonly body: { id: string; version: number; as_of: number; data: { name: string }[] }
}

let key = ''

async function send(method: string, path: string, sent: { body?: object; headers?: object } = {}) {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...sent.headers,
    },
    body: sent.body ? JSON.stringify(sent.body) : null,
  })
  const text = await response.text()
  return {
    status: response.status,
    etag: response.headers.get('etag') ?? '',
    body: text === '' ? null : JSON.parse(text),
  } as Reply
}

/** A write with the times between which it was committed. */
interface Write {
  readonly name: string
  readonly sentAt: number
  readonly ackedAt: number
  readonly version: number
  readonly etag: string
}

let people = 0

/** Two acknowledged writes, and a read of the roster after them. */
interface Round {
  readonly changed: Write
  readonly added: Write
  readonly list: Reply
}

/** Changes the person, and adds another one. */
async function writeRound(path: string): Promise<Round> {
  people += 1
  const name = `Person ${people}`
  const timed = async (sending: () => Promise<Reply>): Promise<Write> => {
    const sentAt = Date.now()
    const { status, etag, body } = await sending()
    assert.ok(status < 300, `${status}`)
    return { name, sentAt, ackedAt: Date.now(), version: body.version, etag }
  }
  const changed = await timed(() => send('PATCH', path, { body: { title: name } }))
  const added = await timed(() => send('POST', '/v1/personnel', { body: { name } }))
  return { changed, added, list: await send('GET', '/v1/personnel?limit=1') }
}

const rosterNames = async () => {
  const { status, body } = await send('GET', '/v1/personnel')
  assert.equal(status, 200)
  return new Set(body.data.map(({ name }) => name))
}

/** Every write acknowledged before the time is there, and none that was sent after it. */
async function assertRestored(added: readonly Write[], time: number): Promise<string> {
  const names = await rosterNames()
  const kept = added.filter(({ ackedAt }) => ackedAt < time)
  const lost = added.filter(({ sentAt }) => sentAt > time)
  for (const { name } of kept) assert.ok(names.has(name), `${name} was acknowledged and is missing`)
  for (const { name } of lost) assert.ok(!names.has(name), `${name} is later than the time`)
  assert.ok(kept.length >= 8 && lost.length >= 8, `${kept.length} kept, ${lost.length} lost`)
  return `${kept.length} writes before the time are there, ${lost.length} after it are not`
}

/** The statuses of a conditional read and of a conditional change. */
async function conditional(path: string, etag: string): Promise<[number, number]> {
  const found = await send('GET', path, { headers: { 'if-none-match': etag } })
  // The same name as before, so a change that passes writes nothing.
  const body = { name: 'Unchanged' }
  const changed = await send('PATCH', path, { body, headers: { 'if-match': etag } })
  return [found.status, changed.status]
}

/** Writes until the number of a lost change is given again, and then its list. */
async function assertLost(path: string, { changed, list }: Round): Promise<string> {
  let again = await send('GET', path)
  assert.ok(again.body.version < changed.version, 'the change is lost')
  while (again.body.version < changed.version) {
    const title = `Again ${again.body.version}`
    again = await send('PATCH', path, { body: { title } })
  }
  assert.equal(again.body.version, changed.version)
  assert.notEqual(again.etag, changed.etag)
  assert.deepEqual(await conditional(path, changed.etag), [200, 412], 'a number that was lost')
  await send('PATCH', path, { body: { title: 'The list' } })
  const sent = { headers: { 'if-none-match': list.etag } }
  const found = await send('GET', '/v1/personnel?limit=1', sent)
  assert.deepEqual([found.status, found.body.as_of], [200, list.body.as_of])
  return again.etag
}

/** Creates the server and the service as the guides do, with a key and the first backup. */
async function install(): Promise<void> {
  await createCluster()
  await follow(commands(selfHost, 'Database roles'))
  const first = commands(selfHost, 'Run migrations and create the first key')
  key = (await follow(`${first}\necho "$KEY"`)).trim().split('\n').at(-1) ?? ''
  await follow(commands(guide, 'Set up backups'))
  await follow(startStep)
}

const steps = commandsOf(guide, 'Restore to a point in time')
const startStep = steps.find((step) => step.startsWith('systemctl start muster@')) ?? ''

/** Follows all steps with this time. */
async function restore(time: number): Promise<string> {
  const target = new Date(time).toISOString().replace(/T(.*)\.000Z/, ' $1+00')
  const script = steps.join('').replace(/^TARGET=.*$/m, `TARGET='${target}'`)
  assert.ok(script.includes(target))
  return follow(script)
}

/** A standby of the restored server follows its writes, and stays a standby. */
async function assertStandby(path: string): Promise<string> {
  const query = await startStandby()
  const { body } = await send('PATCH', path, { body: { title: 'After the restore' } })
  const seen = 'select coalesce(max(version), 0) from muster.people'
  for (let tries = 0; tries < 60; tries++) {
    assert.equal((await query('select pg_is_in_recovery()')).trim(), 't', 'it promoted itself')
    const latest = Number(await query(seen))
    if (latest === body.version) return `the standby has version ${latest} and is no primary`
    await sleep(500)
  }
  return assert.fail('the standby does not follow the restored server')
}

const skip = obstacle()

test('the guide restores the second that was chosen, and then another', { skip }, async (t) => {
  await install()
  const add = async () => {
    const { etag, body } = await send('POST', '/v1/personnel', { body: { name: 'Unchanged' } })
    return { etag, path: `/v1/personnel/${body.id}` }
  }
  const [untouched, { path }] = [await add(), await add()]
  const target = Math.ceil(Date.now() / 1000) * 1000 + 3000
  const later = target + 3000
  const rounds: Round[] = []
  while (Date.now() < later + 3000) {
    rounds.push(await writeRound(path))
    await sleep(50)
  }
  const added = rounds.map((round) => round.added)
  const lost = rounds.find(({ changed }) => changed.sentAt > target)
  assert.ok(lost)

  const printed = await restore(target)
  assert.match(printed, /^\{"status":"ready"\}/m)
  const [lastChange = ''] = /^[\d-]+ [\d:.]+[+-]\d+$/m.exec(printed) ?? []
  assert.ok(Date.parse(lastChange) <= target, lastChange)
  assert.match(printed, /^ok +archiving +\w+\.history was archived/m)
  t.diagnostic(await assertRestored(added, target))
  const kept = await conditional(untouched.path, untouched.etag)
  assert.deepEqual(kept, [304, 200], 'a number that was kept')
  const given = await assertLost(path, lost)

  await restore(later)
  t.diagnostic(await assertRestored(added, later))
  assert.deepEqual(await conditional(path, given), [200, 412], 'a number of the first restore')
  const { body } = await send('GET', path)
  const present = rounds.find(({ changed }) => changed.version === body.version)
  const valid = await conditional(path, present?.changed.etag ?? '')
  assert.deepEqual(valid, [304, 200], 'a number that the first restore lost, and this one kept')
  t.diagnostic(await assertStandby(path))
})
