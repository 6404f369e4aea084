import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { test } from 'node:test'

import { limits } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { listPersonnel, type PersonnelQuery } from '#domain/people/personnel'
import { startProcess } from '#test/support/process'
import { sentDuring } from '#test/support/statements'

import { type Large, rowsOf } from './plans.ts'
import { assertSearchPlan, type SearchBound, describeReads } from './search-bound.ts'
import { full, scale } from './spread.ts'

/** A search text, with the least and the most matches among 100 000 people. */
interface Kind {
  readonly what: string
  readonly q: string
  readonly least: number
  readonly most: number
}

/**
 * In the order by name, all Maras are adjacent and all Si… come late: a scan in that order would
 * pass many other rows first.
 */
const kinds: readonly Kind[] = [
  { what: 'no one', q: 'zzqx', least: 0, most: 0 },
  { what: 'a rare last name', q: 'almagard', least: 1, most: 10 },
  { what: 'an email', q: 'pestina.holmeqvist0@example.com', least: 1, most: 1 },
  { what: 'a last name of hundreds of people', q: 'lindegren', least: 500, most: 1000 },
  { what: 'the middle of a word', q: 'ndeg', least: 1000, most: 2000 },
  { what: 'a fragment of 1 % of the names', q: 'gny', least: 1000, most: 1500 },
  { what: 'a fragment of 2 % of the names', q: 'tor', least: 1500, most: 2500 },
  { what: 'a first name of 3 % of the people', q: 'mara', least: 2500, most: 3500 },
  { what: 'a fragment of 5 % of the names', q: 'si', least: 4000, most: 6000 },
  { what: 'a fragment of 20 % of the names', q: 'lind', least: 15_000, most: 25_000 },
  { what: 'everyone', q: 'example', least: 99_000, most: 101_000 },
  { what: 'two words', q: 'mara lind', least: 500, most: 1000 },
  {
    what: 'no one by two common words in the wrong order',
    q: 'gren lind',
    least: 0,
    most: 0,
  },
]

const rounds = 3

/** A few rows may have changed since the tables were filled and vacuumed. */
const bound: SearchBound = {
  own: full.people,
  page: rowsOf('personnel.list'),
  heapFetches: Math.max(200, full.people / 100),
}

/** Search reads the index of one workspace. The latency is printed, not asserted. */
export function testSearch(large: Large): void {
  atEnd(async () => agent.destroy())
  const running = once(() => startProcess(large.host.url))
  const issued = once(async () => (await large.home.issue({ scopes: ['personnel.read'] })).token)
  for (const kind of kinds) {
    test(`q finds ${kind.what} by an index-only scan`, async (t) => {
      const found = await assertKind(large, kind)
      const { base } = await running()
      const token = await issued()
      for (const sort of ['name', '-updated_at'] as const) {
        const plain = `${base}/v1/personnel?limit=${bound.page}&sort=${sort}`
        const narrowed = `${plain}&q=${encodeURIComponent(kind.q)}`
        const { data } = JSON.parse(await ask(narrowed, token))
        assert.equal(data.length, Math.min(found, bound.page))
        const reads = await assertReads(large, { q: kind.q, sort })
        t.diagnostic(`${sort}: ${reads}; ${await compare({ plain, narrowed, token })}`)
      }
    })
  }
}

async function assertReads({ caller, plansOf }: Large, query: PersonnelQuery): Promise<string> {
  const page = { after: null, limit: bound.page, countMax: limits.totalCountMax * scale }
  const sent = await sentDuring(() => listPersonnel(caller, query).page(page))
  const searches = sent.filter(({ sql }) => sql.includes('search_key'))
  assert.equal(searches.length, 2, 'a page and a count')
  const plans = await plansOf(searches)
  for (const plan of plans) assertSearchPlan(plan, bound)
  return describeReads(plans, bound)
}

/** Asserts that the text is as common as stated. Returns the number of matches. */
async function assertKind({ host, home }: Large, { q, least, most }: Kind): Promise<number> {
  const { rows } = await host.sql.query<{ found: number }>(
    `select count(*)::integer as found from people
     where workspace_id = $1 and on_roster and strpos(search_text, $2) > 0`,
    [home.uuid, q],
  )
  const found = rows[0]?.found ?? -1
  assert.ok(
    found >= Math.floor(least * scale) && found <= Math.ceil(most * scale),
    `${found} people match ${q}`,
  )
  return found
}

interface Asked {
  readonly plain: string
  readonly narrowed: string
  readonly token: string
}

/** Not `fetch`, whose overhead is as large as the response time of the service. */
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

/** Measures both in turns, so that other load on the machine affects both. */
async function compare({ plain, narrowed, token }: Asked): Promise<string> {
  const [ofPlain, ofNarrowed]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    ofPlain.push(await timed(plain, token))
    ofNarrowed.push(await timed(narrowed, token))
  }
  const [of, by] = [median(ofPlain), median(ofNarrowed)]
  return `${by.toFixed(1)} ms, a page without q ${of.toFixed(1)} ms: ${(by / of).toFixed(1)} times`
}

/** Calls `make` on first use and reuses the result. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}
