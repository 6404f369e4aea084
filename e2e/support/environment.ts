import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import {
  type DemoKeys,
  foundWorkspace,
  makeDemoKeys,
  migrate,
  openOwner,
  seed,
} from '@muster/api/seed'
import { createClient } from '@muster/client'
import { Client } from 'pg'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'

import { borrowContext } from './contexts.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
export const shots = `${root}.build/screenshots/`
mkdirSync(shots, { recursive: true })

const server = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** A real service on a database of its own, and a real browser to look at it with. */
export interface World {
  readonly base: string
  readonly url: string
  readonly browser: Browser
  /** Keys to the workspace Northwater, which has people, projects, risks and issues. */
  readonly keys: DemoKeys
  /** Keys to a workspace with nothing in it. */
  readonly emptyWorkspace: (name: string) => Promise<DemoKeys>
}

/** Everything is gone again when the test file has ended. */
export async function startWorld(): Promise<World> {
  const name = newName()
  await administer(`create database ${name} template ${await storyTemplate()}`)
  const url = urlOf(name)
  const owner = openOwner(url)
  const { workspaceId } = await seed(owner)
  const keys = await makeDemoKeys(owner, workspaceId)
  const service = await startService(url)
  const browser = await launch()
  after(async () => {
    await browser.close()
    service.child.kill('SIGTERM')
    await owner[Symbol.asyncDispose]()
    await administer(`drop database ${name} with (force)`)
  })
  const emptyWorkspace = async (called: string) =>
    makeDemoKeys(owner, (await foundWorkspace(owner, called)).id)
  return { base: service.base, url, browser, keys, emptyWorkspace }
}

const newName = () => `muster_e2e_${randomBytes(4).toString('hex')}`
const urlOf = (name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href

/**
 * The story is told once a day for each state of the schema and of itself; every test file clones
 * it. It has dates, so that of another day would be another story.
 */
async function storyTemplate(): Promise<string> {
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10))
  for (const folder of ['packages/api/migrations/', 'packages/api/src/story/']) {
    for (const file of readdirSync(root + folder).toSorted()) {
      hash.update(readFileSync(root + folder + file))
    }
  }
  const template = `muster_story_${hash.digest('hex').slice(0, 12)}`
  if (await exists(template)) return template
  const { rows } = await administer(
    "select datname from pg_database where datname ~ '^muster_story'",
  )
  for (const { datname } of rows) {
    await administer(`drop database if exists ${datname}`).catch(() => {})
  }
  const name = newName()
  await administer(`create database ${name}`)
  await migrate(urlOf(name))
  const owner = openOwner(urlOf(name))
  await seed(owner)
  await owner[Symbol.asyncDispose]()
  // Another test file may have told it meanwhile: one is as good as the other.
  await administer(`alter database ${name} rename to ${template}`).catch(() =>
    administer(`drop database ${name}`),
  )
  return template
}

async function exists(name: string): Promise<boolean> {
  const { rowCount } = await administer(`select from pg_database where datname = '${name}'`)
  return rowCount === 1
}

async function administer(statement: string) {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The process that runs in production, with the console that `npm run build` made. */
export async function startService(url: string): Promise<{ base: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['packages/api/src/main.ts'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url, PORT: '0' },
  })
  let log = ''
  child.stdout.on('data', (data: Buffer) => (log += data.toString()))
  for (let tries = 0; tries < 600; tries++) {
    const base = /listening at (http:[^"]+)/.exec(log)?.[1]
    if (base) return { base, child }
    await sleep(100)
  }
  throw new Error(`The service did not start: ${log}`)
}

/** The shell is the same browser without its windows, and takes a third less of the machine. */
const shell = '/usr/bin/chromium-headless-shell'
const installed = existsSync(shell) ? shell : '/usr/bin/chromium'

export const launch = () =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? installed,
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

/** Someone at a browser of their own, and what went on behind what they saw. */
export interface Visit {
  readonly page: Page
  /** Calls of the API, as `GET /v1/risks`. */
  readonly calls: string[]
  /** Requests to anywhere but the service itself. */
  readonly outside: string[]
  /** What the browser complained about, such as a breach of the page's policy. */
  readonly errors: string[]
}

interface VisitOptions extends BrowserContextOptions {
  readonly width?: number
}

export async function visit(
  world: Pick<World, 'base' | 'browser'>,
  options: VisitOptions = {},
): Promise<Visit> {
  const { width = 1280, ...rest } = options
  const context = await borrowContext(world.browser, {
    viewport: { width, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Nothing has to be waited for that only moves.
    reducedMotion: 'reduce',
    ...rest,
  })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const seen: Visit = { page, calls: [], outside: [], errors: [] }
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (address.protocol === 'data:' || address.protocol === 'blob:') return
    if (address.origin !== world.base) seen.outside.push(address.href)
    if (!address.pathname.startsWith('/v1/')) return
    seen.calls.push(`${request.method()} ${address.pathname}${address.search}`)
    if (request.method() !== 'GET') underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) seen.errors.push(message.text())
  })
  page.on('pageerror', (error) => seen.errors.push(error.message))
  page.on('dialog', (dialog) => {
    seen.errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return seen
}

/** The session of each key that has signed in: the next browser begins with it. */
const sessions = new Map<string, string>()
const sessionCookie = '__Host-muster_session'

interface SignInOptions extends VisitOptions {
  readonly path?: string
  /** Signs in anew, for whoever is to sign out again. */
  readonly isFresh?: boolean
}

/** Someone who has signed in with this key, on this page of the console. */
export async function signedIn(
  world: World,
  key: string,
  { path = '/risks', isFresh = false, ...options }: SignInOptions = {},
): Promise<Visit> {
  const seen = await visit(world, options)
  const { page } = seen
  const session = isFresh ? undefined : sessions.get(key)
  if (session === undefined) {
    await page.goto(`${world.base}/sign-in?back=${encodeURIComponent(path)}`)
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
  } else {
    const url = world.base.replace('http:', 'https:')
    const shape = { secure: true, httpOnly: true, sameSite: 'Lax' } as const
    await page.context().addCookies([{ name: sessionCookie, value: session, url, ...shape }])
    await page.goto(world.base + path)
  }
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  if (session === undefined && !isFresh) await keepSession(page, key)
  return seen
}

async function keepSession(page: Page, key: string): Promise<void> {
  const cookies = await page.context().cookies()
  const { value } = cookies.find(({ name }) => name === sessionCookie) ?? {}
  if (value !== undefined) sessions.set(key, value)
}

/** The API beside the browser, to arrange things and to see what became of them. */
export const apiOf = (world: World, key: string) =>
  createClient({ base: world.base, key, fetch: fetchAfterwards })

/** Changes that a page has sent, and that have not been answered yet. */
const underWay = new Set<Request>()

/** A page shows a change before the service has it: whoever looks beside it waits a little. */
async function fetchAfterwards(...given: Parameters<typeof fetch>): Promise<Response> {
  for (let tries = 0; tries < 100 && underWay.size > 0; tries++) await sleep(20)
  return fetch(...given)
}

export function assertQuiet({ outside, errors }: Visit): void {
  assert.deepEqual(outside, [], 'a page asks nobody else for anything')
  assert.deepEqual(errors, [], 'and the browser has nothing to complain about')
}

/** How far the page sticks out of the window, in pixels, once it has got used to its width. */
export async function overflowOf(page: Page): Promise<number> {
  const measure = () =>
    page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ) as Promise<number>
  for (let tries = 1; tries < 20 && (await measure()) > 0; tries++) await sleep(50)
  return measure()
}

/** The page is there when it has a heading and nothing is loading any more. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const loading = page.getByLabel('Loading')
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' })
}
