import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { test } from 'node:test'

import { listPersonnel } from '#domain/personnel'

import { atEnd } from './at-end.ts'
import { assertBound, besides, isRead, type Large, probe, rowsOf } from './large-plans.ts'
import { startProcess } from './process.ts'
import { sentDuring } from './statements.ts'

/** What is looked for, and how many people at least and at most have it. */
interface Kind {
  readonly what: string
  readonly q: string
  readonly least: number
  readonly most: number
}

const rare: readonly Kind[] = [
  { what: 'what nobody has', q: 'zzqx', least: 0, most: 0 },
  { what: 'a rare last name', q: 'almagard', least: 1, most: 10 },
  { what: 'an email', q: 'pestina.holmeqvist0@example.com', least: 1, most: 1 },
]

/**
 * In the order by name everyone called Mara stands together, and everyone called Si… comes late:
 * whoever looks along the order for a page of them has a long way.
 */
const common: readonly Kind[] = [
  { what: 'a last name that hundreds have', q: 'lindegren', least: 500, most: 1000 },
  { what: 'the middle of a word', q: 'ndeg', least: 1000, most: 2000 },
  { what: 'a piece that one in a hundred has', q: 'gny', least: 1000, most: 1500 },
  { what: 'a piece that two in a hundred have', q: 'tor', least: 1500, most: 2500 },
  { what: 'a first name that three in a hundred have', q: 'mara', least: 2500, most: 3500 },
  { what: 'a piece that five in a hundred have', q: 'si', least: 4000, most: 6000 },
  { what: 'a piece that a fifth has', q: 'lind', least: 15_000, most: 25_000 },
  { what: 'what all have', q: 'example', least: 99_000, most: 101_000 },
  { what: 'two words', q: 'mara lind', least: 500, most: 1000 },
  { what: 'two words that many have and nobody together', q: 'gren lind', least: 0, most: 0 },
]

const [rounds, roundsBefore] = [30, 8]
const ratioMax = 5
const triesMax = 3

export function testSearch(large: Large): void {
  testCandidates(large)
  atEnd(async () => agent.destroy())
  const running = once(() => startProcess(large.host.url))
  const issued = once(async () => (await large.home.issue({ scopes: ['personnel.read'] })).token)
  for (const kind of [...rare, ...common]) {
    test(`q finds ${kind.what} in less than ${ratioMax} times a page`, async (t) => {
      const found = await assertKind(large, kind)
      const { base } = await running()
      const token = await issued()
      for (const sort of ['created_at', 'name', '-name']) {
        const plain = `${base}/v1/personnel?limit=${rowsOf('personnel.list')}&sort=${sort}`
        const narrowed = `${plain}&q=${encodeURIComponent(kind.q)}`
        const { data } = JSON.parse(await ask(narrowed, token))
        assert.equal(data.length, Math.min(found, rowsOf('personnel.list')))
        const { ratio, said } = await compareFairly({ plain, narrowed, token })
        t.diagnostic(`${sort}: ${said}`)
        assert.ok(ratio <= ratioMax, `q=${kind.q} by ${sort}: ${said}`)
      }
    })
  }
}

/** What is looked for is as common as it is said to be. Tells how many people have it. */
async function assertKind({ host, home }: Large, { q, least, most }: Kind): Promise<number> {
  const { rows } = await host.sql.query<{ found: number }>(
    `select count(*)::integer as found from people
     where workspace_id = $1 and on_roster and strpos(search_text, $2) > 0`,
    [home.uuid, q],
  )
  const found = rows[0]?.found ?? -1
  assert.ok(found >= least && found <= most, `${found} people have ${q}`)
  return found
}

/** Few candidates are each looked up by their id, and by nothing else. */
function testCandidates({ caller, plansOf }: Large): void {
  test('q that few have reads few buffers for each of them', async (t) => {
    for (const { what, q, most } of rare) {
      const list = listPersonnel(caller, { q })
      const page = { after: null, limit: rowsOf('personnel.list'), countMax: null }
      const sent = await sentDuring(() => list.page(page))
      const plans = await plansOf(sent.filter(isRead))
      for (const plan of plans) {
        assertBound(plan, besides + most * probe)
      }
      t.diagnostic(`${what}: ${plans.map(({ buffers }) => buffers).join(', ')} buffers`)
    }
  })
}

interface Asked {
  readonly plain: string
  readonly narrowed: string
  readonly token: string
}

/** Not by `fetch`, which takes as long to hand over a page as the service takes to make it. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function ask(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('error', reject)
      reply.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (reply.statusCode === 200) resolve(text)
        else reject(new Error(`${url} answered ${reply.statusCode}: ${text}`))
      })
    }).on('error', reject)
  })
}

async function timed(url: string, token: string): Promise<number> {
  const began = performance.now()
  await ask(url, token)
  return performance.now() - began
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Both take turns: whatever else the machine does slows down both. */
async function compare({ plain, narrowed, token }: Asked) {
  const [ofPlain, ofNarrowed]: [number[], number[]] = [[], []]
  // A connection makes its plans in the first few calls.
  for (let round = -roundsBefore; round < rounds; round++) {
    const [a, b] = [await timed(plain, token), await timed(narrowed, token)]
    if (round < 0) continue
    ofPlain.push(a)
    ofNarrowed.push(b)
  }
  const [of, by] = [median(ofPlain), median(ofNarrowed)]
  const ratio = by / of
  return { ratio, said: `${ratio.toFixed(2)} times, ${by.toFixed(1)} ms to ${of.toFixed(1)} ms` }
}

/** The machine has other things to do: what looks a bit too slow must look so again and again. */
async function compareFairly(asked: Asked) {
  for (let tries = 1; ; tries++) {
    const compared = await compare(asked)
    const isClose = compared.ratio > ratioMax && compared.ratio < 2 * ratioMax
    if (!isClose || tries === triesMax) return compared
  }
}

/** What is made when it is first asked for. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}
