import { Agent, get } from 'node:http'

import { operations } from '@muster/contract'

import { dropDatabase } from './database.ts'
import { fairly } from './fairly.ts'
import { median } from './median.ts'
import { start, startService, stop } from './program.ts'

/**
 * `npm run bench`: how fast the roll-ups and the roster are in a workspace that is as full as can
 * be, against the same calls in one of a thousand risks and a hundred people, in the same tables.
 * Both take turns, so whatever else the machine does is shared; only the ratio counts, and it must
 * not fall below a half. BENCH_SECONDS is how long each call is made in each workspace, LARGE_ROWS
 * how many risks and issues the tables hold.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? 2)
const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 8)
const rounds = 5
const ratioMin = 0.5
const pageRows = 50

const say = (line: string) => process.stdout.write(`${line}\n`)

interface Side {
  readonly token: string
  readonly ids: Readonly<Record<string, string[]>>
}

interface Large {
  readonly url: string
  readonly large: Side
  readonly small: Side
}

/** The tables are filled once, and stay for the next time. */
async function openLarge(): Promise<Large> {
  const {
    child,
    said: [line = ''],
  } = await start(
    'packages/api/test/large.ts',
    { KEEP_LARGE: '1', UPDATE_GOLDEN: '1' },
    /^(\{.*\})$/m,
  )
  await stop(child)
  return JSON.parse(line)
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

interface Target {
  readonly base: string
  readonly side: Side
}

function ask({ base, side }: Target, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${side.token}` }
    get(`${base}${path}`, { agent, headers }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('error', reject)
      reply.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (reply.statusCode === 200) resolve(text)
        else reject(new Error(`${path} answered ${reply.statusCode}: ${text}`))
      })
    }).on('error', reject)
  })
}

interface Run {
  readonly target: Target
  readonly path: string
  readonly atOnce: number
}

/** How many times a second a call is answered, with so many under way. */
async function rate({ target, path, atOnce }: Run, forSeconds: number): Promise<number> {
  const began = performance.now()
  const end = began + forSeconds * 1000
  let answered = 0
  const worker = async () => {
    while (performance.now() < end) {
      await ask(target, path)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return answered / ((performance.now() - began) / 1000)
}

/** The cursor at which the second half of a list begins. */
async function middleOf(target: Target, path: string): Promise<string> {
  const { total_count } = JSON.parse(await ask(target, `${path}?limit=1&include=total_count`))
  let cursor = ''
  for (let left = Math.floor(total_count / 2); left > 0; left -= 1000) {
    const limit = Math.min(left, 1000)
    cursor = JSON.parse(await ask(target, `${path}?limit=${limit}${cursor}`)).next_cursor
    cursor = `&cursor=${cursor}`
  }
  return cursor
}

/** A call, as it is made in a workspace with these ids. */
interface Call {
  readonly name: string
  readonly path: (target: Target) => string | Promise<string>
  /** Why its ratio is shown and not held against it. */
  readonly excuse?: string
}

const first = ({ side }: Target, prefix: string) => side.ids[prefix]?.[0] ?? ''
const twenty = ({ side }: Target, prefix: string) => (side.ids[prefix] ?? []).join()

/** One value for each filter. A filter of the contract that has none here is not let through. */
const values: Record<string, string | ((target: Target, noun: Noun) => string)> = {
  id: (target, noun) => twenty(target, noun === 'risks' ? 'rsk' : 'iss'),
  project_id: (target) => first(target, 'prj'),
  owner_user_id: (target) => first(target, 'usr'),
  assignee_user_id: (target) => first(target, 'usr'),
  category: 'legal',
  response: 'reduce',
  level: 'high',
  score_min: '12',
  likelihood: '5',
  impact: '5',
  severity: '3',
  opened_from: '2026-01-01',
  opened_before: '2026-01-01',
  status: (_, noun) => (noun === 'risks' ? 'treating' : 'blocked'),
  flag: (_, noun) => (noun === 'risks' ? 'review_overdue' : 'overdue'),
  tag: 'flood',
  q: 'number',
}

type Noun = 'risks' | 'issues'
const ofEveryList = new Set(['limit', 'cursor', 'include'])

function callsOf(noun: Noun): Call[] {
  const path = `/v1/${noun}`
  const page = `${path}?limit=${pageRows}`
  const filters = Object.keys(operations[noun].list.query.properties)
  return [
    { name: page, path: () => page },
    {
      name: `${page}, deep`,
      path: async (target) => `${page}${await middleOf(target, path)}`,
    },
    ...filters
      .filter((name) => !ofEveryList.has(name))
      .map((name) => {
        const value = values[name]
        if (value === undefined) throw new Error(`bench/rollups.ts has no value for ${name}`)
        const valueOf = typeof value === 'string' ? () => value : value
        const shown = typeof value === 'string' ? value : '…'
        return {
          name: `${page}&${name}=${shown}`,
          path: (target: Target) => `${page}&${name}=${valueOf(target, noun)}`,
        }
      }),
    {
      name: `${page}&project_id=… (20)`,
      path: (target) => `${page}&project_id=${twenty(target, 'prj')}`,
    },
    { name: `${path}/summary`, path: () => `${path}/summary` },
    {
      name: `${path}/summary?project_id=…`,
      path: (target) => `${path}/summary?project_id=${first(target, 'prj')}`,
    },
    {
      name: `${path}/summary?project_id=… (20)`,
      path: (target) => `${path}/summary?project_id=${twenty(target, 'prj')}`,
    },
    {
      name: `${path}/summary?tag=flood`,
      path: () => `${path}/summary?tag=flood`,
      excuse: 'counts all that the filter leaves',
    },
    {
      name: `${page}&q=nowhere`,
      path: () => `${page}&q=nowhere`,
      excuse: 'looks into all that there is',
    },
  ]
}

/** A page of the roster, of as many rows as the small workspace has of what is asked for. */
const ofRoster = (rows: number, filter: string, value?: (target: Target) => string): Call => {
  const page = `/v1/personnel?limit=${rows}${filter}`
  return {
    name: `${page}${value ? '…' : ''}`,
    path: (target) => `${page}${value?.(target) ?? ''}`,
  }
}

const rosterCalls: Call[] = [
  ofRoster(pageRows, ''),
  {
    name: `/v1/personnel?limit=${pageRows}, deep`,
    path: async (target) =>
      `/v1/personnel?limit=${pageRows}${await middleOf(target, '/v1/personnel')}`,
  },
  ofRoster(pageRows, '&sort=name'),
  ofRoster(20, '&user_id=', (target) => twenty(target, 'usr')),
  ofRoster(pageRows, '&group_id=', (target) => first(target, 'grp')),
  ofRoster(5, '&manager_user_id=', (target) => first(target, 'usr')),
  ofRoster(5, '&title=Site%20engineer'),
  ofRoster(2, '&department=Civil%20works'),
  ofRoster(15, '&q=lind'),
  ofRoster(pageRows, '&q=example'),
  { ...ofRoster(pageRows, '&q=zzqx'), excuse: 'looks into all that there is' },
]

const calls: Call[] = [
  ...callsOf('risks'),
  ...callsOf('issues'),
  ...rosterCalls,
  {
    name: '/v1/projects?limit=20&include=summary',
    path: () => '/v1/projects?limit=20&include=summary',
  },
]

/** Both workspaces in turn: a machine that slows down slows down both. */
async function compare(call: Call, large: Target, small: Target) {
  // What goes through everything is slow enough alone.
  const atOnce = call.excuse === undefined ? connections : 1
  const runs = [
    { target: large, path: await call.path(large), atOnce, rates: [] as number[] },
    { target: small, path: await call.path(small), atOnce, rates: [] as number[] },
  ]
  // Names are read once and plans made in the first few calls of every connection.
  for (const run of runs) await rate(run, Math.min(seconds, 0.3))
  for (let round = 0; round < rounds; round++) {
    for (const run of runs) run.rates.push(await rate(run, seconds / rounds))
  }
  const [ofLarge = 0, ofSmall = 0] = runs.map(({ rates }) => median(rates))
  return { ofLarge, ofSmall, ratio: ofLarge / ofSmall }
}

const { url, ...sides } = await openLarge()
const { child, base } = await startService(url, {
  SWEEP_SECONDS: '3600',
  RATE_LIMIT_KEY: '1000000000',
  RATE_LIMIT_WORKSPACE: '1000000000',
})
const [large, small] = [
  { base, side: sides.large },
  { base, side: sides.small },
]
let failures = 0
try {
  say('ratio   large/s   small/s   call')
  for (const call of calls) {
    const isGood = ({ ratio }: { ratio: number }) => ratio >= ratioMin || call.excuse !== undefined
    const compared = await fairly(() => compare(call, large, small), isGood)
    const { ofLarge, ofSmall, ratio } = compared
    const isLow = !isGood(compared)
    if (isLow) failures += 1
    const columns = [ratio.toFixed(2), ofLarge.toFixed(0), ofSmall.toFixed(0)]
    const note = isLow ? '   TOO LOW' : call.excuse ? `   (${call.excuse})` : ''
    say(`${columns.map((text) => text.padStart(5).padEnd(8)).join('  ')}${call.name}${note}`)
  }
} finally {
  agent.destroy()
  await stop(child)
  // The tables of a million rows stay, unless told otherwise.
  if (process.env['DROP_LARGE'] === '1') await dropDatabase(url)
}
say(failures === 0 ? `All at ${ratioMin} or more.` : `${failures} below ${ratioMin}.`)
process.exitCode = failures === 0 ? 0 : 1
