import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import { type DemoKeys, createWorkspace, makeDemoKeys, openOwner, seed } from '@muster/api/seed'
import { createClient } from '@muster/client'
import { atEnd } from '@muster/testing/at-end'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'

import { sharedBrowser } from './browser.ts'
import { acquireContext, newContext } from './contexts.ts'
import { createDemoDatabase } from './database.ts'
import {
  type Addresses,
  type Clock,
  type Settings,
  startServiceProcess,
  startSharedService,
} from './services.ts'

/** A service with its own database, and a browser. */
export interface Environment extends Addresses {
  readonly url: string
  readonly browser: Browser
  /** The time of the service and of the pages; null for the present. */
  readonly time: Date | null
  /** The id of the demo workspace Northwater. */
  readonly workspaceId: string
  /** Keys of the demo workspace Northwater. */
  readonly keys: DemoKeys
  /** Creates an empty workspace and returns its keys. */
  readonly emptyWorkspace: (name: string) => Promise<DemoKeys>
}

/**
 * Starts an environment with a service in this process. It is removed after the test file. The demo
 * data, the service and the pages have the time `time`, or the present.
 */
export const startEnvironment = (time: Date | null = null): Promise<Environment> =>
  environmentOf(startSharedService, time)

/**
 * Starts an environment whose service is a process of its own: for settings of a process, and for
 * tests that measure.
 */
export const startProcessEnvironment = (settings: Settings = {}): Promise<Environment> =>
  environmentOf((url) => startServiceProcess(url, settings))

async function environmentOf(
  start: (url: string, clock: Clock) => Promise<Addresses>,
  time: Date | null = null,
): Promise<Environment> {
  const url = await createDemoDatabase(time)
  const connection = openOwner(url)
  atEnd(() => connection[Symbol.asyncDispose]())
  // A millisecond between two readings keeps ids in order.
  let readings = 0
  const clock = () => time && new Date(time.getTime() + readings++)
  const owner = connection.withClock(clock)
  const { workspaceId } = await seed(owner)
  const keys = await makeDemoKeys(owner, workspaceId)
  const addresses = await start(url, clock)
  const browser = await sharedBrowser()
  const emptyWorkspace = async (workspaceName: string) =>
    makeDemoKeys(owner, (await createWorkspace(owner, workspaceName)).id)
  return { ...addresses, url, browser, time, workspaceId, keys, emptyWorkspace }
}

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

interface PageOptions extends Omit<BrowserContextOptions, 'viewport'> {
  readonly width?: number
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Uses a browser context of its own: for an empty cache, and for a clock that is set. */
  readonly isContextNew?: boolean
  /**
   * Whether the page shows changes of others as they happen. A page for pictures does not, nor does
   * one of a test about a stale page.
   */
  readonly isLive?: boolean
}

/** The page shows no changes of others: a browser without locks has no stream of them. */
export const stopLive = (page: Page) => page.addInitScript('delete Navigator.prototype.locks')

export async function openPage(
  env: Pick<Environment, 'base' | 'browser'> & Partial<Pick<Environment, 'time'>>,
  options: PageOptions = {},
): Promise<PageSession> {
  const { width = 1280, viewport, isContextNew = false, isLive = !env.time, ...rest } = options
  const contextOptions = {
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Avoids waiting for animations.
    reducedMotion: 'reduce',
    ...rest,
  } as const
  const context = isContextNew
    ? await newContext(env.browser, contextOptions)
    : await acquireContext(env.browser, contextOptions, env.time ?? null)
  // A machine with ten busy processes for each core loads the API reference in 30 s.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  if (!isLive) await stopLive(page)
  // Not a context for each size: the cache of a new one is empty.
  await page.setViewportSize(viewport ?? { width, height: 900 })
  const session: PageSession = { page, calls: [], outside: [], errors: [] }
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (address.protocol === 'data:' || address.protocol === 'blob:') return
    if (address.origin !== env.base) session.outside.push(address.href)
    // The changes of others are no call of a page, and their stream does not end.
    if (!address.pathname.startsWith('/v1/') || address.pathname === '/v1/events') return
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

/** Session tokens by key. */
const sessionTokens = new Map<string, string>()
const cookieName = '__Host-muster_session'

interface SignInOptions extends PageOptions {
  readonly path?: string
  /** Creates a new session with the sign-in form, for tests that end it. */
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
  if (isFresh) {
    await page.goto(`${env.base}/sign-in?back=${encodeURIComponent(path)}`)
    await enterKey(page, key)
  } else {
    const value = sessionTokens.get(key) ?? (await startSession(env, key))
    const url = env.base.replace('http:', 'https:')
    const shape = { secure: true, httpOnly: true, sameSite: 'Lax' } as const
    await page.context().addCookies([{ name: cookieName, value, url, ...shape }])
    await page.goto(env.base + path)
  }
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return session
}

/** Signs in as the form does, without a page, and returns the token of the session. */
async function startSession({ base }: Environment, key: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${key}`,
    'muster-console': '1',
    'sec-fetch-site': 'same-origin',
  }
  const reply = await fetch(`${base}/session`, { method: 'POST', headers })
  const cookie = reply.headers.get('set-cookie') ?? ''
  const [, token = ''] = new RegExp(`^${cookieName}=([^;]+)`).exec(cookie) ?? []
  assert.notEqual(token, '', `The service started no session: ${reply.status}`)
  sessionTokens.set(key, token)
  return token
}

/** Fills in the form for an API key on the sign-in page. */
export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key' }).click()
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
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
