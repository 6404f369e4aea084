import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import type { DemoKeys } from '@muster/api/seed'
import type { Page } from 'playwright-core'

import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

/** As many live risks as a workspace may have. */
const most = Number(process.env['RISKS'] ?? 100_000)
const world = await startWorld()
const small = await fill('Small', 100)
const full = await fill('Full', most)

/** A workspace with this many live risks, all over the matrix. */
async function fill(name: string, count: number): Promise<DemoKeys> {
  const keys = await world.emptyWorkspace(name)
  const api = apiOf(world, keys.manager)
  const project = await api.projects.create({ body: { code: 'DAM', name: 'Norrfors dam' } })
  for (let made = 0; made < count; made += 1000) {
    const data = Array.from({ length: Math.min(1000, count - made) }, (_, index) => ({
      title: `Risk ${made + index} that the review of the works brought up`,
      likelihood: 1 + ((made + index) % 5),
      impact: 1 + (Math.floor((made + index) / 5) % 5),
    }))
    await api.risks.batch({ params: { project_id: project.id }, body: { data } })
  }
  return keys
}

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Register' }).getByRole('row')

/** Opens the page, and says after how many milliseconds a click on it did something. */
async function open(page: Page): Promise<number> {
  const began = performance.now()
  await page.goto(`${world.base}/risks`)
  await rowsOf(page).nth(1).waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Category' }).waitFor()
  return performance.now() - began
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

test(`${most} live risks: one page of the list and at most four calls, and as soon as with 100`, async (t) => {
  const [many, few] = [await signedIn(world, full.reader), await signedIn(world, small.reader)]
  const times = { many: [] as number[], few: [] as number[] }
  for (let round = 0; round < 5; round++) {
    many.calls.length = 0
    times.many.push(await open(many.page))
    await many.page.getByText(`${most.toLocaleString('en-GB')} live risks`).waitFor()
    assert.ok(many.calls.length <= 4, many.calls.join(', '))
    assert.equal(many.calls.filter((call) => call.startsWith('GET /v1/risks?')).length, 1)
    times.few.push(await open(few.page))
  }
  const ratio = median(times.many) / median(times.few)
  t.diagnostic(`usable after ${ratio.toFixed(2)} times as long as with 100 risks (bound 3)`)
  assert.ok(ratio <= 3, JSON.stringify(times))
  assertQuiet(many)
})

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** How long the thread was at work, in microseconds, whatever else the machine had to do. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The longest that the page's own thread was busy without a pause, in milliseconds. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && mains.has(`${pid} ${tid}`),
  )
  assert.ok(tasks.length > 100, 'the trace shows what the page did')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

test('scrolling loads forward by cursor, keeps few rows, and never stalls', async (t) => {
  const seen = await signedIn(world, full.reader)
  const { page, calls } = seen
  await rowsOf(page).nth(1).waitFor()
  await page.mouse.move(700, 600)
  calls.length = 0
  const categories = ['disabled-by-default-devtools.timeline', 'toplevel', '__metadata']
  await world.browser.startTracing(page, { categories })
  let rowsMost = 0
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, 1500)
    await page.waitForTimeout(60)
    rowsMost = Math.max(rowsMost, await rowsOf(page).count())
  }
  const trace = await world.browser.stopTracing()
  const longest = longestTask(trace)
  t.diagnostic(`at most ${rowsMost} rows in the document, longest task ${longest.toFixed(0)} ms`)
  assert.ok(rowsMost > 10 && rowsMost <= 200, `${rowsMost} rows`)
  assert.ok(longest <= 100, `${longest} ms`)
  const pages = calls.filter((call) => call.startsWith('GET /v1/risks?'))
  assert.ok(pages.length >= 5, `${pages.length} pages`)
  assert.ok(pages.every((call) => call.includes('cursor=')))
  assert.equal(new Set(pages).size, pages.length, 'no page is asked for twice')
  assert.deepEqual(calls.length, pages.length)
  const last = rowsOf(page).last()
  assert.ok(Number(await last.getAttribute('aria-rowindex')) > 500)
  assertQuiet(seen)
})

test('the first load takes at most 250 kB of JavaScript', async (t) => {
  const seen = await signedIn(world, small.reader)
  const { page } = seen
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.endsWith('.js')) return
    sizes.set(
      pathname,
      response.body().then((body) => gzipSync(body, { level: 9 }).length),
    )
  })
  await page.goto(`${world.base}/risks`)
  await rowsOf(page).nth(1).waitFor()
  const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
  t.diagnostic(`${(total / 1000).toFixed(0)} kB in ${sizes.size} files`)
  assert.ok(sizes.size > 1 && total <= 250_000, `${total} bytes`)
})
