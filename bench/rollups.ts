import { Agent, get } from 'node:http'

import { operations } from '@muster/contract'
import { measure } from '@muster/testing/measure'

import { median } from './compare/judge.ts'
import { dropDatabase } from './database.ts'
import { start, startService, stop } from './process.ts'
import { size } from './size.ts'

/**
 * `npm run bench`: throughput of the roll-ups and the roster in a workspace at its limits, relative
 * to a workspace with 1000 risks and 100 people in the same tables. Both are measured in turns, so
 * that other load on the machine affects both. The ratio must be at least 0.5. BENCH_SECONDS is the
 * time per call and workspace, LARGE_ROWS the number of risks and issues.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? size(0.09, 2))
const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 8)
const rounds = size(3, 5)
const ratioMin = 0.5
const pageRows = 50

const print = (line: string) => process.stdout.write(`${line}\n`)

interface Workspace {
  readonly token: string
  readonly ids: Readonly<Record<string, string[]>>
}

interface Large {
  readonly url: string
  readonly large: Workspace
  readonly small: Workspace
}

/** Fills the tables once. They are kept for the next run. */
async function openLarge(): Promise<Large> {
  const {
    child,
    groups: [line = ''],
  } = await start(
    ['packages/api/test/large/large.ts'],
    { KEEP_LARGE: '1', UPDATE_GOLDEN: '1' },
    /^(\{.*\})$/m,
  )
  await stop(child)
  return JSON.parse(line)
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

interface Target {
  readonly base: string
  readonly workspace: Workspace
}

function ask({ base, workspace }: Target, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${workspace.token}` }
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
  readonly concurrency: number
}

/** Requests per second of a call, with `concurrency` requests in flight. */
async function rate({ target, path, concurrency }: Run, forSeconds: number): Promise<number> {
  const began = performance.now()
  const end = began + forSeconds * 1000
  let answered = 0
  const worker = async () => {
    while (performance.now() < end) {
      await ask(target, path)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return answered / ((performance.now() - began) / 1000)
}

/** The cursor in the middle of a list. */
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

/** A benchmarked call. Its path depends on the ids of the workspace. */
interface Call {
  readonly name: string
  readonly path: (target: Target) => string | Promise<string>
  /** Why its ratio is printed but not checked. */
  readonly exemption?: string
}

const first = ({ workspace }: Target, prefix: string) => workspace.ids[prefix]?.[0] ?? ''
const twenty = ({ workspace }: Target, prefix: string) => (workspace.ids[prefix] ?? []).join()

/** One value for each filter. A filter of the contract without a value here is an error. */
const values: Record<string, string | ((target: Target, noun: Noun) => string)> = {
  id: (target, noun) => twenty(target, noun === 'risks' ? 'rsk' : 'iss'),
  ref: (target) => first(target, 'ref'),
  external_id: 'X0',
  project_id: (target) => first(target, 'prj'),
  project_code: (target) => first(target, 'code'),
  risk_id: (target) => first(target, 'rsk'),
  owner_email: (target) => first(target, 'email'),
  assignee_email: (target) => first(target, 'email'),
  review_from: '2026-01-01',
  review_before: '2027-01-01',
  due_from: '2026-01-01',
  due_before: '2027-01-01',
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
  accepted: 'false',
  q: 'number',
  sort: '-updated_at',
}

const byDay = 'reads an index entry of each item in rank order until the page is full'

/** Filters whose cost grows with the workspace, and why. */
const exemptions: Readonly<Record<string, string>> = {
  sort: 'reads an index entry of every live item',
  review_from: byDay,
  review_before: byDay,
  due_from: byDay,
  due_before: byDay,
}

type Noun = 'risks' | 'issues'
/** `past-plans.test.ts` counts what a list of the past reads. */
const notFilters = new Set(['limit', 'cursor', 'format', 'include', 'as_of', 'compare'])

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
      .filter((name) => !notFilters.has(name))
      .map((name) => {
        const value = values[name]
        if (value === undefined) throw new Error(`bench/rollups.ts has no value for ${name}`)
        const valueOf = typeof value === 'string' ? () => value : value
        const shown = typeof value === 'string' ? value : '…'
        const exemption = exemptions[name]
        return {
          name: `${page}&${name}=${shown}`,
          path: (target: Target) => `${page}&${name}=${valueOf(target, noun)}`,
          ...(exemption !== undefined && { exemption }),
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
      exemption: 'counts all matching rows',
    },
    {
      name: `${page}&q=nowhere`,
      path: () => `${page}&q=nowhere`,
      exemption: 'scans all rows of the workspace',
    },
  ]
}

/** A page of the roster, with as many rows as match in the small workspace. */
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
  { ...ofRoster(pageRows, '&q=zzqx'), exemption: 'scans all rows of the workspace' },
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

/** Measures both workspaces in turns, so that other load on the machine affects both. */
async function compare(call: Call, large: Target, small: Target) {
  // A call that scans all rows runs alone, because it is slow.
  const concurrency = call.exemption === undefined ? connections : 1
  const runs = [
    { target: large, path: await call.path(large), concurrency, rates: [] as number[] },
    { target: small, path: await call.path(small), concurrency, rates: [] as number[] },
  ]
  // The first calls of every connection load the type catalog and plan the statements.
  for (const run of runs) await rate(run, Math.min(seconds, 0.3))
  for (let round = 0; round < rounds; round++) {
    for (const run of runs) run.rates.push(await rate(run, seconds / rounds))
  }
  const [ofLarge = 0, ofSmall = 0] = runs.map(({ rates }) => median(rates))
  return { ofLarge, ofSmall, ratio: ofLarge / ofSmall }
}

const { url, ...workspaces } = await openLarge()
const { child, base } = await startService(url, {
  SWEEP_SECONDS: '3600',
  RATE_LIMIT_KEY: '1000000000',
  RATE_LIMIT_WORKSPACE: '1000000000',
  // Every page is read from the database.
  RESPONSE_MEMORY_MIB: '0',
})
const [large, small] = [
  { base, workspace: workspaces.large },
  { base, workspace: workspaces.small },
]
const ratios: number[] = []
try {
  print('ratio   large/s   small/s   call')
  for (const call of calls) {
    const { ofLarge, ofSmall, ratio } = await compare(call, large, small)
    const isLow = ratio < ratioMin && call.exemption === undefined
    if (call.exemption === undefined) ratios.push(ratio)
    const columns = [ratio.toFixed(2), ofLarge.toFixed(0), ofSmall.toFixed(0)]
    const note = isLow ? '   TOO LOW' : call.exemption ? `   (${call.exemption})` : ''
    print(`${columns.map((text) => text.padStart(5).padEnd(8)).join('  ')}${call.name}${note}`)
  }
} finally {
  agent.destroy()
  await stop(child)
  // The large tables are kept by default.
  if (process.env['DROP_LARGE'] === '1') await dropDatabase(url)
}
const measured = { value: Math.min(...ratios), atLeast: ratioMin, unit: '×' }
measure({ diagnostic: print }, 'lowest throughput relative to a small workspace', measured)
