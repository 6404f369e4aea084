import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { nouns } from '@muster/contract/openapi'
import { chromium, type Page } from 'playwright-core'

const shots = fileURLToPath(new URL('../.build/screenshots/', import.meta.url))
mkdirSync(shots, { recursive: true })
const service = await startService()
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
after(async () => {
  await browser.close()
  service.process.kill('SIGTERM')
})

/** A page needs no database, so the service is started without one it could reach. */
async function startService(): Promise<{ base: string; process: ChildProcess }> {
  const child = spawn(process.execPath, ['packages/api/src/main.ts'], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    env: { ...process.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing', PORT: '0' },
  })
  let log = ''
  child.stdout.on('data', (data: Buffer) => (log += data.toString()))
  for (let tries = 0; tries < 100; tries++) {
    const base = /listening at (http:[^"]+)/.exec(log)?.[1]
    if (base) return { base, process: child }
    await sleep(100)
  }
  throw new Error(`The service did not start: ${log}`)
}

interface Seen {
  readonly page: Page
  /** Requests to anywhere but the service itself. */
  readonly outside: string[]
  readonly errors: string[]
}

async function open(path: string, width = 1280): Promise<Seen> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const outside: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(service.base) && !url.startsWith('data:')) outside.push(url)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(service.base + path, { waitUntil: 'networkidle' })
  return { page, outside, errors }
}

function assertQuiet({ outside, errors }: Seen): void {
  assert.deepEqual(outside, [], 'a page asks nobody else for anything')
  assert.deepEqual(errors, [])
}

for (const width of [375, 768, 1440]) {
  test(`the front page reads well at ${width} pixels`, async () => {
    const seen = await open('/', width)
    const { page } = seen
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.ok(await page.getByRole('link', { name: 'reference' }).isVisible())
    assert.ok(await page.getByText('GET /v1/risks').first().isVisible())
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    assert.equal(overflow, 0, 'nothing sticks out')
    await page.screenshot({ path: `${shots}front-${width}.png`, fullPage: true })
    assertQuiet(seen)
  })
}

test('the reference shows every noun, and asks nobody else for anything', async () => {
  const seen = await open('/docs')
  const { page } = seen
  await page.getByRole('heading', { name: 'Muster' }).waitFor()
  for (const noun of Object.keys(nouns)) {
    await page.getByText(noun, { exact: true }).first().waitFor()
  }
  await page.getByText('/v1/personnel').first().waitFor()
  await page.screenshot({ path: `${shots}docs.png` })
  await page.getByRole('link', { name: 'List everyone on the roster.' }).first().click()
  await page.getByText('Only people with one of these statuses').first().waitFor()
  await page.screenshot({ path: `${shots}docs-operation.png` })
  assertQuiet(seen)
})

test('a problem has a page that says what to do, a click from the list of them', async () => {
  const seen = await open('/problems')
  const { page } = seen
  await page.getByRole('link', { name: 'email_taken' }).click()
  await page.getByRole('heading', { name: 'How to fix it' }).waitFor()
  assert.ok(await page.getByText('conflicting_id').isVisible())
  await page.screenshot({ path: `${shots}problem.png` })
  assertQuiet(seen)
})
