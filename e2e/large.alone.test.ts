import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

import type { DemoKeys } from '@muster/api/seed'
import { measure } from '@muster/testing/measure'
import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startProcessEnvironment } from './support/environment.ts'

/** More than the scroll test shows; with `--long`, the quota of live risks in one workspace. */
const most = Number(process.env['RISKS'] ?? (process.env['MUSTER_LONG'] === '1' ? 100_000 : 3000))
const env = await startProcessEnvironment()
const small = await fill('Small', 100)
const full = await fill('Full', most)

/** Creates a workspace with `count` live risks in all cells of the matrix. */
async function fill(name: string, count: number): Promise<DemoKeys> {
  const keys = await env.emptyWorkspace(name)
  const api = apiOf(env, keys.manager)
  const project = await api.projects.create({ body: { code: 'DAM', name: 'Norrfors dam' } })
  for (let created = 0; created < count; created += 1000) {
    const data = Array.from({ length: Math.min(1000, count - created) }, (_, index) => ({
      title: `Risk ${created + index} from the site review`,
      likelihood: 1 + ((created + index) % 5),
      impact: 1 + (Math.floor((created + index) / 5) % 5),
    }))
    await api.risks.batch({ params: { project_id: project.id }, body: { data } })
  }
  return keys
}

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Register' }).getByRole('row')

/** Opens the page and returns the milliseconds until a click takes effect. */
async function open(page: Page): Promise<number> {
  const startedAt = performance.now()
  await page.goto(`${env.base}/risks`)
  await rowsOf(page).nth(1).waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Category' }).waitFor()
  return performance.now() - startedAt
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

test(`${most} live risks load in at most 5 calls and 1.5 times the time of 100`, async (t) => {
  const [many, few] = [await signIn(env, full.reader), await signIn(env, small.reader)]
  const times = { many: [] as number[], few: [] as number[] }
  for (let round = 0; round < 5; round++) {
    many.calls.length = 0
    times.many.push(await open(many.page))
    const all = `All ${most.toLocaleString('en-GB')}`
    await many.page.getByRole('link', { name: all }).waitFor()
    assert.ok(many.calls.length <= 5, many.calls.join(', '))
    assert.equal(many.calls.filter((call) => call.startsWith('GET /v1/risks?')).length, 1)
    times.few.push(await open(few.page))
  }
  const ratio = median(times.many) / median(times.few)
  measure(t, 'time until usable, relative to 100 risks', { value: ratio, atMost: 1.5, unit: '×' })
  assertNoErrors(many)
})

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** CPU time of the thread in microseconds, independent of the load of the machine. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Duration of the longest main-thread task, in milliseconds. */
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
  assert.ok(tasks.length > 100, 'the trace contains the tasks of the page')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

test('scrolling pages by cursor, with at most 200 rows and 100 ms tasks', async (t) => {
  const session = await signIn(env, full.reader)
  const { page, calls } = session
  await rowsOf(page).nth(1).waitFor()
  await page.mouse.move(700, 600)
  calls.length = 0
  const categories = ['disabled-by-default-devtools.timeline', 'toplevel', '__metadata']
  await env.browser.startTracing(page, { categories })
  let rowsMost = 0
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, 1500)
    await page.waitForTimeout(60)
    rowsMost = Math.max(rowsMost, await rowsOf(page).count())
  }
  const trace = await env.browser.stopTracing()
  const longest = longestTask(trace)
  measure(t, 'longest task', { value: longest, atMost: 100 })
  assert.ok(rowsMost > 10 && rowsMost <= 200, `${rowsMost} rows`)
  const pages = calls.filter((call) => call.startsWith('GET /v1/risks?'))
  assert.ok(pages.length >= 5, `${pages.length} pages`)
  assert.ok(pages.every((call) => call.includes('cursor=')))
  assert.equal(new Set(pages).size, pages.length, 'no page is requested twice')
  assert.deepEqual(calls.length, pages.length)
  const last = rowsOf(page).last()
  assert.ok(Number(await last.getAttribute('aria-rowindex')) > 500)
  assertNoErrors(session)
})

test('the first load takes at most 250 kB of JavaScript', async (t) => {
  const session = await signIn(env, small.reader)
  const { page } = session
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.endsWith('.js')) return
    sizes.set(
      pathname,
      response.body().then((body) => gzipSync(body, { level: 9 }).length),
    )
  })
  await page.goto(`${env.base}/risks`)
  await rowsOf(page).nth(1).waitFor()
  const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
  t.diagnostic(`${(total / 1000).toFixed(0)} kB in ${sizes.size} files`)
  assert.ok(sizes.size > 1 && total <= 250_000, `${total} bytes`)
})
