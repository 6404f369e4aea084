import { setTimeout as sleep } from 'node:timers/promises'

import { call, fill } from './compare/api.ts'
import { oneRound, type Target } from './compare/round.ts'
import { benchSettings, startCurrent, type Subject } from './compare/subject.ts'
import type { Load } from './load.ts'
import { run, startService, stop } from './process.ts'
import { size } from './size.ts'
import { copyWorkspace } from './workspaces.ts'

/**
 * `npm run bench -- mix`: reads of 1 000 workspaces by the Zipf distribution with exponent 1, 32
 * connections: of 10 requests 6 ask for a page, 2 for another page, 1 for the summary and 1 for the
 * caller. The ten workspaces that are read most are hot: each gets 0, 1 or 10 writes a second, at
 * fixed times, over connections of their own. A write reviews a risk, which changes the page. The
 * page cache has its default size. At the end the service is restarted, and the time is measured
 * until its hit rate is that of before.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? size(4, 20))
const workspaces = 1000
const hotWorkspaces = 10
const risksPerWorkspace = 50

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Fills a workspace, and returns the path to review its highest risk. */
async function reviewPathOf({ base }: Subject, token: string): Promise<string> {
  const projectId = await fill(base, token, risksPerWorkspace)
  const reply = await call({ base, token, path: '/v1/risks?limit=1' })
  // The cast holds because the response is a page of risks.
  const { data } = (await reply.json()) as { data: { id: string }[] }
  return `/v1/projects/${projectId}/risks/${data[0]?.id}/review`
}

interface Cache {
  readonly hits: number
  readonly misses: number
}

async function cacheOf(metrics: string): Promise<Cache> {
  const text = await (await fetch(metrics)).text()
  const count = (result: string) =>
    Number(
      new RegExp(`^muster_page_cache_requests_total\\{result="${result}"\\} (\\d+)`, 'm').exec(
        text,
      )?.[1],
    )
  return { hits: count('hit'), misses: count('miss') }
}

function hitRate(from: Cache, to: Cache): number {
  const hits = to.hits - from.hits
  return hits / Math.max(1, hits + to.misses - from.misses)
}

interface Stand {
  readonly subject: Subject
  readonly tokens: readonly string[]
  /** The same in every workspace, because all are copies. */
  readonly reviewPath: string
}

const readsOf = ({ subject, tokens }: Stand): Target => ({
  name: 'mix',
  child: subject.child,
  database: subject.database,
  load: {
    base: subject.base,
    tokens,
    zipf: 1,
    path: '/v1/risks?limit=50',
    paths: [
      { path: '/v1/personnel?limit=50', weight: 1 / 3 },
      { path: '/v1/risks/summary', weight: 1 / 6 },
      { path: '/v1/whoami', weight: 1 / 6 },
    ],
  },
  status: 200,
})

/** Writes of the hot workspaces, as long as the reads. */
async function write({ subject, reviewPath, tokens }: Stand, perWorkspace: number) {
  if (perWorkspace === 0) return
  const hot = tokens.slice(0, hotWorkspaces)
  const load: Load = {
    base: subject.base,
    tokens: hot,
    path: reviewPath,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"note":"Seen {n}"}',
    connections: hot.length * 2,
    seconds,
    warmSeconds: 0.5,
    rate: hot.length * perWorkspace,
  }
  await run(['bench/load.ts', JSON.stringify(load)])
}

async function measure(stand: Stand, writesPerSecond: number) {
  const { subject } = stand
  const before = await cacheOf(subject.metrics)
  const [read] = await Promise.all([
    oneRound(readsOf(stand), { connections: 32, seconds }),
    write(stand, writesPerSecond),
  ])
  const { perSecond, p50, p99 } = read
  const rate = hitRate(before, await cacheOf(subject.metrics))
  print(
    `${String(writesPerSecond).padStart(3)} writes/s each: ${perSecond.toFixed(0).padStart(6)}/s, ` +
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, hit rate ${rate.toFixed(3)}`,
  )
  return { hitRate: rate }
}

/** Seconds after a restart until the hit rate of a quarter of a second is nearly that of before. */
async function steadyAfter(stand: Stand, usual: number) {
  const began = performance.now()
  await stop(stand.subject.child)
  const restarted = await startService(stand.subject.url, benchSettings)
  const target = readsOf({ ...stand, subject: { ...stand.subject, ...restarted } })
  const { promise: reads, isDone } = watch(
    oneRound(target, { connections: 32, seconds: 2 * seconds }),
  )
  let before = await cacheOf(restarted.metrics)
  let after: number | null = null
  while (!isDone() && after === null) {
    await sleep(250)
    const now = await cacheOf(restarted.metrics)
    const isBusy = now.hits + now.misses > before.hits + before.misses
    if (isBusy && hitRate(before, now) >= 0.95 * usual) after = (performance.now() - began) / 1000
    before = now
  }
  await reads
  await stop(restarted.child)
  return after
}

function watch<T>(promise: Promise<T>) {
  let isDone = false
  return { promise: promise.finally(() => (isDone = true)), isDone: () => isDone }
}

await using subject = await startCurrent()
const template = await subject.newWorkspace('Mix')
const stand: Stand = {
  subject,
  reviewPath: await reviewPathOf(subject, template),
  tokens: await copyWorkspace(subject.url, template, workspaces),
}
// The first rounds fill the cache.
for (let last = 0, tries = 0; tries < 5; tries++) {
  const { hitRate: rate } = await measure(stand, 0)
  if (rate < last + 0.02) break
  last = rate
}
const { hitRate: usual } = await measure(stand, 0)
for (const writes of [1, 10]) await measure(stand, writes)
const steadyAfterSeconds = await steadyAfter(stand, usual)
print(`${steadyAfterSeconds?.toFixed(1) ?? 'more'} s from the restart to the usual hit rate`)
