import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import {
  type DemoKeys,
  createWorkspace,
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

import { acquireContext } from './contexts.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const screenshots = `${root}.build/screenshots/`
mkdirSync(screenshots, { recursive: true })

const databaseServer = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** A service with its own database, and a browser. */
export interface Environment {
  readonly base: string
  /** The origin of sign-in links and passkeys, at the same port: browsers need a host name. */
  readonly publicUrl: string
  readonly url: string
  readonly browser: Browser
  /** The id of the demo workspace Northwater. */
  readonly workspaceId: string
  /** Keys of the demo workspace Northwater. */
  readonly keys: DemoKeys
  /** Creates an empty workspace and returns its keys. */
  readonly emptyWorkspace: (name: string) => Promise<DemoKeys>
}

/** Settings of the service, beside those of every test. */
type Settings = Readonly<Record<string, string>>

/** Starts an environment, which is removed after the test file. */
export async function startEnvironment(settings: Settings = {}): Promise<Environment> {
  const name = newDatabaseName()
  await runAsAdmin(`create database ${name} template ${await demoTemplate()}`)
  const url = urlOf(name)
  const owner = openOwner(url)
  const { workspaceId } = await seed(owner)
  const keys = await makeDemoKeys(owner, workspaceId)
  const service = await startService(url, settings)
  const browser = await launch()
  after(async () => {
    await browser.close()
    service.child.kill('SIGTERM')
    await owner[Symbol.asyncDispose]()
    await runAsAdmin(`drop database ${name} with (force)`)
  })
  const emptyWorkspace = async (workspaceName: string) =>
    makeDemoKeys(owner, (await createWorkspace(owner, workspaceName)).id)
  const { base, publicUrl } = service
  return { base, publicUrl, url, browser, workspaceId, keys, emptyWorkspace }
}

const newDatabaseName = () => `muster_e2e_${randomBytes(4).toString('hex')}`
const urlOf = (name: string) =>
  Object.assign(new URL(databaseServer), { pathname: `/${name}` }).href

/**
 * Returns the template database with the demo data; every test file clones it. The template is
 * rebuilt for each day, schema and demo data version, because the demo data contains dates.
 */
async function demoTemplate(): Promise<string> {
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10))
  for (const folder of [
    'packages/api/migrations/',
    'packages/api/src/demo/',
    'packages/demo/src/',
  ]) {
    for (const file of readdirSync(root + folder).toSorted()) {
      hash.update(readFileSync(root + folder + file))
    }
  }
  const template = `muster_story_${hash.digest('hex').slice(0, 12)}`
  if (await exists(template)) return template
  const { rows } = await runAsAdmin(
    "select datname from pg_database where datname ~ '^muster_story'",
  )
  for (const { datname } of rows) {
    await runAsAdmin(`drop database if exists ${datname}`).catch(() => {})
  }
  const name = newDatabaseName()
  await runAsAdmin(`create database ${name}`)
  await migrate(urlOf(name))
  const owner = openOwner(urlOf(name))
  await seed(owner)
  await owner[Symbol.asyncDispose]()
  // If another test file created the same template meanwhile, use that one.
  await runAsAdmin(`alter database ${name} rename to ${template}`).catch(() =>
    runAsAdmin(`drop database ${name}`),
  )
  return template
}

async function exists(name: string): Promise<boolean> {
  const { rowCount } = await runAsAdmin(`select from pg_database where datname = '${name}'`)
  return rowCount === 1
}

async function runAsAdmin(statement: string) {
  const client = new Client({ connectionString: databaseServer })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Gives the service ten times its time limits, so that a stalled machine causes no 503. */
const patience = ['--import', './packages/api/test/support/patient-process.ts']

interface StartedService {
  readonly base: string
  readonly publicUrl: string
  readonly child: ChildProcess
}

/** A free port: the service must know its own one, because links contain it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the production process with the built console. */
export async function startService(url: string, settings: Settings = {}): Promise<StartedService> {
  const port = await freePort()
  const publicUrl = settings['PUBLIC_URL'] ?? `http://localhost:${port}`
  const child = spawn(process.execPath, [...patience, 'packages/api/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: url,
      PORT: String(port),
      SECRETS_KEY: randomBytes(32).toString('base64'),
      ...settings,
      PUBLIC_URL: publicUrl,
    },
  })
  let log = ''
  child.stdout.on('data', (data: Buffer) => (log += data.toString()))
  for (let tries = 0; tries < 600; tries++) {
    const base = /listening at (http:[^"]+)/.exec(log)?.[1]
    if (base) return { base, publicUrl, child }
    await sleep(100)
  }
  throw new Error(`The service did not start: ${log}`)
}

/** The headless shell uses a third less CPU than the full browser. */
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
      // No test leaves this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  })

/** A page with its recorded requests and errors. */
export interface PageSession {
  readonly page: Page
  /** API calls, such as `GET /v1/risks`. */
  readonly calls: string[]
  /** Requests to other origins. */
  readonly outside: string[]
  /** Browser errors, such as a violation of the content security policy. */
  readonly errors: string[]
}

interface PageOptions extends BrowserContextOptions {
  readonly width?: number
}

export async function openPage(
  env: Pick<Environment, 'base' | 'browser'>,
  options: PageOptions = {},
): Promise<PageSession> {
  const { width = 1280, ...rest } = options
  const context = await acquireContext(env.browser, {
    viewport: { width, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Avoids waiting for animations.
    reducedMotion: 'reduce',
    ...rest,
  })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const session: PageSession = { page, calls: [], outside: [], errors: [] }
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (address.protocol === 'data:' || address.protocol === 'blob:') return
    if (address.origin !== env.base) session.outside.push(address.href)
    if (!address.pathname.startsWith('/v1/')) return
    session.calls.push(`${request.method()} ${address.pathname}${address.search}`)
    if (request.method() !== 'GET') pendingChanges.add(request)
  })
  page.on('requestfinished', (request) => pendingChanges.delete(request))
  page.on('requestfailed', (request) => pendingChanges.delete(request))
  page.on('console', (message) => {
    const isHttpError = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isHttpError) session.errors.push(message.text())
  })
  page.on('pageerror', (error) => session.errors.push(error.message))
  page.on('dialog', (dialog) => {
    session.errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return session
}

/** Session cookies by key, reused to skip the sign-in form. */
const sessionCookies = new Map<string, string>()
const cookieName = '__Host-muster_session'

interface SignInOptions extends PageOptions {
  readonly path?: string
  /** Creates a new session, for tests that end it. */
  readonly isFresh?: boolean
}

/** Opens a page of the console, signed in with this key. */
export async function signIn(
  env: Environment,
  key: string,
  { path = '/risks', isFresh = false, ...options }: SignInOptions = {},
): Promise<PageSession> {
  const session = await openPage(env, options)
  const { page } = session
  const cookie = isFresh ? undefined : sessionCookies.get(key)
  if (cookie === undefined) {
    await page.goto(`${env.base}/sign-in?back=${encodeURIComponent(path)}`)
    await enterKey(page, key)
  } else {
    const url = env.base.replace('http:', 'https:')
    const shape = { secure: true, httpOnly: true, sameSite: 'Lax' } as const
    await page.context().addCookies([{ name: cookieName, value: cookie, url, ...shape }])
    await page.goto(env.base + path)
  }
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  if (cookie === undefined && !isFresh) await keepSessionCookie(page, key)
  return session
}

/** Fills in the form for an API key on the sign-in page. */
export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key' }).click()
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function keepSessionCookie(page: Page, key: string): Promise<void> {
  const cookies = await page.context().cookies()
  const { value } = cookies.find(({ name }) => name === cookieName) ?? {}
  if (value !== undefined) sessionCookies.set(key, value)
}

/** API client for the setup and the assertions of a test. */
export const apiOf = (env: Environment, key: string) =>
  createClient({ base: env.base, key, fetch: fetchAfterPending })

/** Write requests of pages without a response yet. */
const pendingChanges = new Set<Request>()

/** Waits up to 2 seconds for pending writes, because pages update optimistically. */
async function fetchAfterPending(...args: Parameters<typeof fetch>): Promise<Response> {
  for (let tries = 0; tries < 100 && pendingChanges.size > 0; tries++) await sleep(20)
  return fetch(...args)
}

export function assertNoErrors({ outside, errors }: PageSession): void {
  assert.deepEqual(outside, [], 'no requests to other origins')
  assert.deepEqual(errors, [], 'no browser errors')
}

/** The window, the content and the parts of a page that scroll. */
const overflowOfAll = `Math.max(...[
  document.documentElement,
  ...document.querySelectorAll('#content, [data-scroll-restoration-id]'),
].map((each) => each.scrollWidth - each.clientWidth))`

/** Horizontal overflow in pixels, after the layout has adapted to the width. */
export async function horizontalOverflow(page: Page): Promise<number> {
  const measure = () => page.evaluate(overflowOfAll) as Promise<number>
  for (let tries = 1; tries < 20 && (await measure()) > 0; tries++) await sleep(50)
  return measure()
}

/** Waits for the heading and until all loading indicators are gone. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const loading = page.getByLabel('Loading')
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' })
}
