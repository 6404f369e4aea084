import { planning } from '@muster/api/planning'

import { start, stop } from '#bench/process'
import { copyWorkspace } from '#bench/workspaces'

import { call, create, fill } from './api.ts'
import type { BareResponse } from './bare.ts'
import type { Target } from './round.ts'
import type { Traffic } from './scenarios.ts'
import type { Subject } from './subject.ts'
import { pgbench, statementsOf } from './twin.ts'

/** A service with data, ready for every kind of traffic. */
export interface Stage {
  readonly subject: Subject
  readonly token: string
  /** Keys of other workspaces, for traffic that is spread over many. */
  readonly tokens: readonly string[]
  readonly projectId: string
  readonly riskId: string
  /** The key of a workspace with many risks; the usual one if none was filled. */
  readonly longToken: string
}

const pagePath = '/v1/risks?limit=50'
const risksCount = 1000

interface Size {
  /** How many workspaces the spread traffic uses. */
  readonly workspaces: number
  /** Risks of a complete list; null for none. */
  readonly longRows: number | null
}

export async function prepareStage(subject: Subject, size: Size): Promise<Stage> {
  const token = await subject.newWorkspace('Load')
  const { base } = subject
  const projectId = await fill(base, token, risksCount)
  const path = `/v1/projects/${projectId}/risks`
  const riskId = await create({
    base,
    token,
    path,
    body: { title: 'Reviewed often', likelihood: 2, impact: 2 },
  })
  const empty = await subject.newWorkspace('Empty')
  const tokens = await copyWorkspace(subject.url, empty, size.workspaces)
  const longToken = size.longRows === null ? token : await subject.newWorkspace('Long')
  if (size.longRows !== null) await fill(base, longToken, size.longRows)
  return { subject, token, tokens, projectId, riskId, longToken }
}

type Send = Omit<Target['load'], 'base' | 'tokens'>

const json = { 'content-type': 'application/json' }

const post = (path: string, body: string): Send => ({ path, method: 'POST', headers: json, body })

async function sendOf(traffic: Traffic, stage: Stage): Promise<Send> {
  const { subject, token, projectId, riskId } = stage
  if (traffic === 'unchanged') {
    const { headers } = await call({ base: subject.base, token, path: pagePath })
    return { path: pagePath, headers: { 'if-none-match': headers.get('etag') ?? '' } }
  }
  const risk = `/v1/projects/${projectId}/risks/${riskId}`
  const person = post('/v1/personnel', '{"name":"Ada {n}"}')
  const sends: Readonly<Record<Exclude<Traffic, 'unchanged'>, Send>> = {
    page: { path: pagePath },
    'uncached-page': { path: pagePath },
    complete: { path: '/v1/risks' },
    summary: { path: '/v1/risks/summary' },
    whoami: { path: '/v1/whoami' },
    risk: { path: risk },
    person,
    'person-spread': person,
    review: post(`${risk}/review`, '{"note":"Seen {n}"}'),
  }
  return sends[traffic]
}

const statuses: Partial<Record<Traffic, number>> = {
  unchanged: 304,
  person: 201,
  'person-spread': 201,
}

function tokensOf(traffic: Traffic, { token, tokens, longToken }: Stage): readonly string[] {
  if (traffic === 'person-spread') return tokens
  return [traffic === 'complete' ? longToken : token]
}

export async function targetOf(traffic: Traffic, stage: Stage): Promise<Target> {
  const { subject } = stage
  const { base, child } = traffic === 'uncached-page' ? subject.uncached : subject
  return {
    name: `${traffic} of ${subject.name}`,
    child,
    database: subject.database,
    load: { base, tokens: tokensOf(traffic, stage), ...(await sendOf(traffic, stage)) },
    status: statuses[traffic] ?? 200,
  }
}

/** Headers that the bare server does not send again, because Node adds them itself. */
const ofConnection = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/** A bare server that sends the response of this traffic. The caller must stop it. */
export async function startBare(target: Target): Promise<Target & AsyncDisposable> {
  const { base, path, tokens, headers = {} } = target.load
  const reply = await fetch(base + path, {
    headers: {
      ...headers,
      authorization: `Bearer ${tokens[0]}`,
      'accept-encoding': 'identity',
    },
  })
  const bare: BareResponse = {
    status: reply.status,
    headers: Object.fromEntries([...reply.headers].filter(([name]) => !ofConnection.has(name))),
    body: Buffer.from(await reply.arrayBuffer()).toString('base64'),
  }
  const program = ['bench/compare/bare.ts', JSON.stringify(bare)] as const
  const server = await start(program, {}, /listening at (http:\S+)/)
  return {
    name: `bare ${target.name}`,
    child: server.child,
    database: target.database,
    load: { ...target.load, base: server.groups[0] ?? '' },
    status: target.status,
    async [Symbol.asyncDispose]() {
      await stop(server.child)
    },
  }
}

/** Runs the statement of the page in pgbench. */
export async function pageTwin({ subject, token }: Stage) {
  const { url } = subject
  const sent = await statementsOf({ url, token, path: pagePath })
  const statement = sent.find(({ sql }) => sql.includes('from "risks"'))
  const entered = sent.find(({ sql }) => sql.includes("set_config('app.ws'"))
  if (!statement || !entered) throw new Error('the page statement was not recorded')
  const settings = {
    role: 'muster_app',
    search_path: 'muster',
    'app.ws': String(entered.parameters[0]),
    ...planning,
  }
  return (seconds: number) => pgbench({ url, statement, settings, clients: 8, seconds })
}
