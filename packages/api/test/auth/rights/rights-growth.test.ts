import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, type Operation, roleNames } from '@muster/contract'

import { encodeOptional } from '#storage/values/id'
import { outcome } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import type { Reply } from '#test/support/client'
import { createFixture, createFixtureFor, type Fixture, newExampleFor } from '#test/support/fixture'
import { isLong } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { type Scenario, scenariosOn } from './rights-scenarios.ts'
import type { Sender } from './rights-stage.ts'
import { type Change, changesBetween, readRights, type Rights } from './rights.ts'

/**
 * The rule of growing rights, for every operation that writes: a session that was authenticated an
 * hour ago gives no rights, and every growth and loss has an entry in the audit log, of the same
 * transaction.
 */

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const signInAll = async (isOld: boolean): Promise<Sender[]> =>
  Promise.all(
    roleNames.map(async (role): Promise<Sender> => {
      const userId = await addPerson(manager)
      const client = await signInPerson(host, home, userId)
      return { what: `${isOld ? 'old' : 'new'} session of ${role}`, role, isOld, userId, client }
    }),
  )

const old = await signInAll(true)
const hourAgo = `authenticated_at = now() - interval '1 hour'`
await host.sql.query(`update sessions set ${hourAgo} where workspace_id = $1`, [home.uuid])
const senders = [...old, ...(await signInAll(false))]
const entries = senders.map(({ role, userId }) => ({ role, user_id: userId }))
await manager.send('PUT', '/v1/access', { body: { entries } })

/** The operations that write, by name. */
const writes = new Map(
  everyOperation()
    .filter(({ operation }) => operation.method !== 'GET')
    .map(({ name, operation }): [string, Operation] => [name, operation]),
)

/** Operations that no person can use here, and the reason. */
const excluded: Readonly<Record<string, string>> = {
  'keys.revoke_self': 'a session of a person has no key',
  'sign_in.test': 'connects to another server, and changes nothing',
  'sign_in.check': 'connects to another server, and changes nothing',
}

const scenarios = scenariosOn({ host, home, manager, entries })
const succeeded = new Set<string>()
const shared = await createFixture(manager)

interface Entry {
  readonly id: string
  readonly type: string
  readonly user_id: string | null
  readonly subject_id: string | null
  readonly reason: string | null
  readonly transaction: string
}

/** The newest entries, the sequence number, and the transactions of the last writes. */
interface Log {
  readonly newest: readonly Entry[]
  readonly seq: string
  readonly write: string
  readonly links: readonly string[]
}

async function readLog(): Promise<Log> {
  const { rows } = await host.sql.query<Log>(
    `select seq, xmin::text as write,
       array(select l.xmin::text from sign_in_links l where l.workspace_id = $1) as links,
       array(select json_build_object('id', id, 'type', type, 'user_id', user_id,
           'subject_id', subject_id, 'reason', reason, 'transaction', a.xmin::text)
         from audit_entries a where workspace_id = $1 order by id desc limit 20) as newest
     from workspace_counters where workspace_id = $1`,
    [home.uuid],
  )
  const [log] = rows
  assert.ok(log)
  return log
}

interface Moment {
  readonly rights: Rights
  readonly log: Log
}

async function readMoment(): Promise<Moment> {
  const [rights, log] = await Promise.all([readRights(host, home.uuid), readLog()])
  return { rights, log }
}

/** Asserts the rule for one request that succeeded. Returns what it changed. */
async function assertRule(before: Moment, sender: Sender, what: string): Promise<Change[]> {
  const after = await readMoment()
  const changes = changesBetween(before.rights, after.rights)
  if (sender.isOld) {
    const grown = changes.filter((change) => change.grown.length > 0)
    assert.deepEqual(grown, [], `${what}: rights grew by an ${sender.what}`)
  }
  const seen = new Set(before.log.newest.map(({ id }) => id))
  const isNumbered = after.log.seq !== before.log.seq
  const added = after.log.newest.filter(({ id }) => !seen.has(id))
  for (const { id, groups, grown, lost } of changes) {
    const about = added.filter((entry) => isAbout(entry, [id, ...groups]))
    assert.ok(about.length > 0, `${what}: no entry for ${id}: ${grown.join()} | ${lost.join()}`)
    const isLink = grown.some((right) => right.startsWith('link '))
    const own = isNumbered ? [after.log.write] : after.log.links
    const isSame = about.some(({ transaction }) => own.includes(transaction))
    assert.ok(isSame || (!isNumbered && !isLink), `${what}: an entry of another transaction`)
  }
  return changes
}

/** Whether an entry is about a person, a group of theirs, a key, or the workspace. */
function isAbout({ type, user_id, subject_id, reason }: Entry, ids: readonly string[]): boolean {
  if (ids[0]?.startsWith('wsp')) return /^(workspace|provider)\./.test(type)
  return [encodeOptional('usr', user_id), subject_id, reason].some((id) => ids.includes(id ?? ''))
}

/** Sends the request of a scenario as everyone. A request that was refused is used again. */
async function play({ operation: name, ...scenario }: Scenario): Promise<void> {
  const operation = writes.get(name)
  assert.ok(operation, `${name} is an operation that writes`)
  let ready: { request: Awaited<ReturnType<Scenario['arrange']>>; before: Moment } | null = null
  // Where rights do not grow, the age of a session makes no difference.
  const isByAge = scenario.effect === 'growth' || scenario.isAlwaysRecent === true
  for (const sender of isByAge || isLong ? senders : old) {
    const what = `${name} ${scenario.what}, by an ${sender.what}`
    if (scenario.isOfSender) ready = null
    ready ??= { request: await scenario.arrange(sender), before: await readMoment() }
    const { params = {}, body } = ready.request
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => params[key] ?? '')
    const reply = await sender.client.send(operation.method, path, { body })
    assertExpected(scenario, sender, { reply, what })
    if (reply.status >= 300) continue
    succeeded.add(name)
    const changes = await assertRule(ready.before, sender, what)
    assert.equal(effectOf(changes), scenario.effect, what)
    ready = null
  }
}

const effectOf = (changes: readonly Change[]) => {
  if (changes.length === 0) return 'none'
  return changes.some(({ grown }) => grown.length > 0) ? 'growth' : 'loss'
}

/** An administrator needs a recent sign-in exactly where rights grow. */
function assertExpected(
  { effect, isAlwaysRecent }: Omit<Scenario, 'operation'>,
  { role, isOld }: Sender,
  { reply, what }: { reply: Reply; what: string },
): void {
  if (role !== 'admin') return
  const needsRecent = effect === 'growth' || isAlwaysRecent === true
  if (isOld && needsRecent) assert.equal(outcome(reply), '403 reauthentication_required', what)
  else assert.ok(reply.status < 300, `${what}: ${reply.text}`)
}

for (const scenario of scenarios) {
  test(`${scenario.operation}: ${scenario.what} (${scenario.effect})`, () => play(scenario))
}

const named = new Set(scenarios.map(({ operation }) => operation))

/** Whether an operation ends something, so that others must come first. */
const isEnd = (name: string) => /\.(archive|restore|erase|occur|close|reopen)$/.test(name)

const unnamed = [...writes].filter(([name]) => !named.has(name) && !(name in excluded))
const inOrder = unnamed.toSorted(([one], [other]) => Number(isEnd(one)) - Number(isEnd(other)))

for (const [name, operation] of inOrder) {
  test(`${name}: no rights grow or are lost`, async () => {
    const sendAll = async (fixture: Fixture): Promise<void> => {
      const { rights } = await readMoment()
      const path = fixture.fill(operation.path)
      for (const { client } of isLong ? senders : old) {
        const body = newExampleFor(operation, fixture)
        const { status } = await client.send(operation.method, path, { body })
        if (status < 300) succeeded.add(name)
      }
      assert.deepEqual(changesBetween(rights, (await readMoment()).rights), [])
    }
    await sendAll(shared)
    if (!succeeded.has(name)) await sendAll(await createFixtureFor(manager, operation))
  })
}

test('every operation that writes was called with success', () => {
  const missing = [...writes.keys()].filter((name) => !succeeded.has(name) && !(name in excluded))
  assert.deepEqual(missing, [], 'add a scenario for these operations')
})
