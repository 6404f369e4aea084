import type { Request } from '#bench/load/request'
import { start, stop } from '#bench/process'
import { copyWorkspace } from '#bench/workspaces'

import { call, fill } from './api.ts'
import type { BareResponse } from './bare.ts'
import type { Target } from './round.ts'
import type { Traffic } from './scenarios.ts'
import type { Subject } from './subject.ts'

/** A service with data, ready for every kind of traffic. */
export interface Stage {
  readonly subject: Subject
  readonly token: string
  /** Keys of other workspaces, for traffic that is spread over many. */
  readonly tokens: readonly string[]
  readonly projectId: string
  /** The risks that are reviewed. */
  readonly riskIds: readonly string[]
}

const pagePath = '/v1/risks?limit=50'
const risksCount = 1000
const reviewedRisks = 200
const otherWorkspaces = 100

export async function prepareStage(subject: Subject): Promise<Stage> {
  const token = await subject.newWorkspace('Load')
  const { base } = subject
  const projectId = await fill(base, token, risksCount)
  const reply = await call({ base, token, path: `/v1/risks?limit=${reviewedRisks}` })
  // The cast holds because the response is a page of risks.
  const { data } = (await reply.json()) as { data: { id: string }[] }
  const empty = await subject.newWorkspace('Empty')
  const tokens = await copyWorkspace(subject.url, empty, otherWorkspaces)
  return { subject, token, tokens, projectId, riskIds: data.map(({ id }) => id) }
}

/** Every list of values of a filter that has all of `always`. */
function listsOf(name: string, always: readonly string[], others: readonly string[]): string[] {
  return Array.from({ length: 2 ** others.length }, (_, bits) => {
    const more = others.filter((_each, index) => bits & (1 << index))
    return `&${name}=${[...always, ...more].join()}`
  })
}

/**
 * More pages than the cache of a service has room for, and each has the same rows: the risks with
 * the highest score pass every filter. In turn, none of them is ever in the cache.
 */
function differentPages(): string[] {
  const filters = [
    listsOf('response', ['undecided'], ['avoid', 'reduce', 'transfer', 'accept']),
    listsOf('status', ['identified'], ['treating', 'monitoring']),
    listsOf('likelihood', ['4', '5'], ['1', '2', '3']),
    listsOf('impact', ['4', '5'], ['1', '2', '3']),
    ['', '&accepted=false'],
  ]
  return filters.reduce(
    (paths, lists) => paths.flatMap((path) => lists.map((list) => path + list)),
    [pagePath],
  )
}

const json = { 'content-type': 'application/json' }

/** 95 % reads, 70 % of them of one page, in an order that is the same in every run. */
function mixOf(sends: Readonly<Record<'page' | 'known' | 'person' | 'review', Request[]>>) {
  const [page, pages, person, review] = [sends.page, sends.known, sends.person, sends.review]
  const kindOf = (at: number) => {
    if (at < 133) return page
    if (at < 190) return pages
    return at < 195 ? person : review
  }
  // 73 has no common divisor with 200, so each 200 requests have every kind in its part.
  return Array.from({ length: 20_000 }, (_, index) => {
    const kind = kindOf((index * 73) % 200)
    return kind[index % kind.length] ?? []
  }).flat()
}

async function requestsOf(traffic: Traffic, stage: Stage): Promise<Request[]> {
  const { subject, token, tokens, projectId, riskIds } = stage
  const post = { method: 'POST', headers: json } as const
  const personOf = (each: string): Request => ({
    ...post,
    token: each,
    path: '/v1/personnel',
    body: '{"name":"Ada {n}"}',
  })
  const reviews = riskIds.map((id): Request => {
    const path = `/v1/projects/${projectId}/risks/${id}/review`
    return { ...post, token, path, body: '{"note":"Seen {n}"}' }
  })
  const page = [{ token, path: pagePath }]
  const known = differentPages().map((path): Request => ({ token, path }))
  if (traffic === 'unchanged') {
    const headers = { 'accept-encoding': 'identity' }
    const reply = await call({ base: subject.base, token, path: pagePath, headers })
    const etag = reply.headers.get('etag') ?? ''
    return [{ token, path: pagePath, headers: { 'if-none-match': etag } }]
  }
  const requests: Readonly<Record<Exclude<Traffic, 'unchanged'>, Request[]>> = {
    page,
    'known-rows': known,
    'cold-rows': known,
    mix: mixOf({ page, known, person: [personOf(token)], review: reviews }),
    person: [personOf(token)],
    'person-spread': tokens.map(personOf),
    review: reviews.slice(0, 1),
    'review-spread': reviews,
  }
  return requests[traffic]
}

const statuses: Partial<Record<Traffic, readonly number[]>> = {
  unchanged: [304],
  mix: [200, 201],
  person: [201],
  'person-spread': [201],
}

export async function targetOf(traffic: Traffic, stage: Stage): Promise<Target> {
  const { subject } = stage
  const { base, child } = traffic === 'cold-rows' ? subject.uncached : subject
  return {
    name: `${traffic} of ${subject.name}`,
    child,
    database: subject.database,
    load: { base, requests: await requestsOf(traffic, stage) },
    statuses: statuses[traffic] ?? [200],
  }
}

/** The first uncached page, whose statement pgbench runs. */
export const uncachedPath = differentPages()[0] ?? pagePath

/** Headers that the bare server does not send again, because Node adds them itself. */
const ofConnection = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/** A bare server that sends the response of this traffic. The caller must stop it. */
export async function startBare(target: Target): Promise<Target & AsyncDisposable> {
  const { base, requests } = target.load
  const [first] = requests
  const reply = await fetch(base + (first?.path ?? ''), {
    headers: {
      'accept-encoding': 'identity',
      ...first?.headers,
      authorization: `Bearer ${first?.token}`,
    },
  })
  const bare: BareResponse = {
    status: reply.status,
    headers: Object.fromEntries([...reply.headers].filter(([name]) => !ofConnection.has(name))),
    body: Buffer.from(await reply.arrayBuffer()).toString('base64'),
  }
  const program = ['bench/compare/bare.ts', JSON.stringify(bare)]
  const server = await start(program, {}, /listening at (http:\S+)/)
  return {
    name: `bare ${target.name}`,
    child: server.child,
    database: target.database,
    load: { base: server.groups[0] ?? '', requests },
    statuses: target.statuses,
    async [Symbol.asyncDispose]() {
      await stop(server.child)
    },
  }
}
