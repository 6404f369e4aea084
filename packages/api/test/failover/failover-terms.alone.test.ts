import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client, type Reply, type Sent } from '#test/support/client'

import { type Deployment, type LinkedNode, startDeployment } from './deployment.ts'
import { KeyedLoad } from './load.ts'
import { ask, nodeThat, obstacle, promotedOf } from './patroni.ts'

/** `npm test -- --long failover-terms`: ETags after a switchover, and after a failover with loss. */
const skip = obstacle('failover-terms', 'haproxy')

/** A response that a client has kept. */
interface Seen {
  readonly path: string
  readonly tag: string
  readonly number: number
}

/** One client of the service, which repeats what the service refuses during a failover. */
class Reader {
  readonly #client: Client
  #paths: string[] = []
  #names = 0

  constructor({ base, token }: Deployment) {
    this.#client = new Client(base, token)
  }

  async start(): Promise<void> {
    const { body } = await this.send('POST', '/v1/personnel', { body: { name: 'Ada' } })
    this.#paths = [`/v1/personnel/${body.id}`, '/v1/personnel?limit=10', '/v1/personnel']
  }

  get #item(): string {
    return this.#paths[0] ?? ''
  }

  async send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    for (let tries = 0; tries < 600; tries++) {
      const reply = await this.#client.send(method, path, sent).catch(() => null)
      if (reply && reply.status !== 503) return reply
      await sleep(100)
    }
    return assert.fail(`${method} ${path} stays unavailable`)
  }

  /** The item and the lists as they are now. */
  async read(): Promise<Seen[]> {
    const seen: Seen[] = []
    for (const path of this.#paths) {
      const { status, headers, body } = await this.send('GET', path)
      assert.equal(status, 200)
      seen.push({ path, tag: headers.get('etag') ?? '', number: body.as_of ?? body.version })
    }
    return seen
  }

  /** Changes the item and returns the number of the change. */
  async write(): Promise<number> {
    this.#names += 1
    const body = { name: `Ada ${this.#names}` }
    const reply = await this.send('PATCH', this.#item, { body })
    assert.equal(reply.status, 200)
    return reply.body.version
  }

  /** What the requests with a tag return: a read, and for the item a change, such as `GET 200`. */
  async resultsOf({ path, tag }: Seen): Promise<string[]> {
    const read = await this.send('GET', path, { headers: { 'if-none-match': tag } })
    if (path !== this.#item) return [`GET ${read.status}`]
    const body = { name: `Grace ${this.#names}` }
    const change = await this.send('PATCH', path, { body, headers: { 'if-match': tag } })
    return [`GET ${read.status}`, `PATCH ${change.status}`]
  }
}

const isCaughtUp = `select not pg_is_in_recovery() and 2 = (select count(*)
  from pg_stat_replication where replay_lsn = pg_current_wal_lsn()) as answer`

const isAsynchronous = `select not pg_is_in_recovery()
  and current_setting('synchronous_standby_names') = '' as answer`

/** A failover may lose writes from now on. */
async function allowLoss(deployment: Deployment): Promise<LinkedNode> {
  const primary = await deployment.synchronous()
  const config = { synchronous_mode: false, maximum_lag_on_failover: 67_108_864 }
  await deployment.patroni(primary, 'PATCH /config', config)
  return deployment.linked(await nodeThat(deployment.nodes, isAsynchronous, 60))
}

const lostNumbers = 75
const requestsMin = 10_000
const atOnce = 8

/** Writes that no standby receives: the first of them starts a term. */
async function writeUnreplicated(reader: Reader): Promise<Seen[]> {
  const seen: Seen[] = []
  for (let index = 0; index < lostNumbers; index++) {
    await reader.write()
    seen.push(...(await reader.read()))
  }
  return seen
}

/** Sends every tag of a lost number that has been reached again. */
async function countResults(reader: Reader, tags: readonly Seen[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const waiting = tags.values()
  const sendAll = async () => {
    for (const each of waiting) {
      for (const result of await reader.resultsOf(each)) {
        counts.set(result, (counts.get(result) ?? 0) + 1)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendAll))
  return counts
}

async function firstsOf(deployment: Deployment, node: LinkedNode) {
  const sql = await deployment.sqlOf(node)
  const { rows } = await sql.query(
    'select seq::integer, term_firsts::integer[] as firsts from workspace_counters',
  )
  await sql.end()
  return rows[0] as { readonly seq: number; readonly firsts: readonly number[] }
}

/** Proves that the count of lost writes in failover.alone.test.ts finds them. */
async function lossOf(deployed: Deployment, load: KeyedLoad, node: LinkedNode) {
  const sql = await deployed.sqlOf(node)
  const { acked, lost } = await load.compare(sql)
  await sql.end()
  return { acked, lost }
}

let deployment: Deployment | null = null
before(async () => {
  if (skip === false) deployment = await startDeployment()
})

test('a switchover keeps the ETags of what did not change', { skip }, async () => {
  assert.ok(deployment)
  const reader = new Reader(deployment)
  await reader.start()
  await reader.write()
  const seen = await reader.read()
  const primary = await deployment.synchronous()
  await deployment.switchover(primary, await deployment.syncStandbyOf(primary))
  assert.notEqual((await deployment.synchronous()).name, primary.name)
  for (const { path, tag } of seen) {
    const { status } = await reader.send('GET', path, { headers: { 'if-none-match': tag } })
    assert.equal(status, 304, `${path} ${tag}`)
  }
})

test('no ETag of a lost number matches when the number is reached again', { skip }, async (t) => {
  assert.ok(deployment)
  const reader = new Reader(deployment)
  await reader.start()
  const previous = await allowLoss(deployment)
  const [chosen] = deployment.except(previous)
  assert.ok(chosen)
  await deployment.switchover(previous, chosen)
  const primary = await deployment.complete()
  assert.equal(primary.name, chosen.name)
  await nodeThat([primary], isCaughtUp, 60)

  await primary.peers.refuse()
  const lost = await writeUnreplicated(reader)
  const { firsts } = await firstsOf(deployment, primary)
  assert.equal(firsts.at(-1), lost[0]?.number, 'the first lost number started a term')
  const load = new KeyedLoad(deployment)
  await load.acknowledged(30)
  await load.end()
  primary.kill()
  const next = deployment.linked(await promotedOf(deployment.except(primary), 90))
  const { seq } = await firstsOf(deployment, next)
  assert.equal(seq, (lost[0]?.number ?? 0) - 1, 'exactly these numbers are lost')
  const counts = await lossOf(deployment, load, next)
  assert.deepEqual(counts, { lost: counts.acked, acked: counts.acked })
  t.diagnostic(`${counts.lost} of ${counts.acked} writes are counted as lost`)

  const totals = new Map<string, number>()
  for (let index = 0; index < lostNumbers; index++) {
    const number = await reader.write()
    const reached = lost.filter((each) => each.number <= number)
    for (const [result, count] of await countResults(reader, reached)) {
      totals.set(result, (totals.get(result) ?? 0) + count)
    }
  }
  const sum = totals.values().reduce((total, count) => total + count, 0)
  t.diagnostic(`${lostNumbers} lost numbers, the first of them a lost start of a term`)
  t.diagnostic(`${sum} requests with their tags: ${JSON.stringify(Object.fromEntries(totals))}`)
  assert.deepEqual([...totals.keys()].toSorted(), ['GET 200', 'PATCH 412'])
  assert.ok(sum >= requestsMin, `${sum} requests`)

  await primary.peers.accept()
  primary.start()
  await deployment.complete()
  assert.equal(await ask(primary, 'select pg_is_in_recovery() as answer'), 'true')
})
