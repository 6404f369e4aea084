import { afterEach } from 'node:test'

import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'

interface PooledContext {
  readonly browser: Browser
  readonly kind: string
  readonly context: BrowserContext
}

const idle: PooledContext[] = []
const inUse: PooledContext[] = []

/**
 * Returns a browser context without cookies or stored data, whose clock shows `time`, or the
 * present. Contexts are reused, so that the cached and compiled files of the console stay warm
 * between tests.
 */
export async function acquireContext(
  browser: Browser,
  options: BrowserContextOptions,
  time: Date | null,
): Promise<BrowserContext> {
  const kind = JSON.stringify({ ...options, time })
  const found = idle.findIndex((each) => each.browser === browser && each.kind === kind)
  const pooled = idle.splice(found, found === -1 ? 0 : 1)[0] ?? {
    browser,
    kind,
    context: await contextAt(time, browser, options),
  }
  inUse.push(pooled)
  return pooled.context
}

async function contextAt(
  time: Date | null,
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  if (time) await context.clock.setFixedTime(time)
  return context
}

const unpooled: BrowserContext[] = []

/** Returns a browser context with an empty cache, which is closed after the test. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  unpooled.push(context)
  return context
}

/** Closes pages after each test, because open pages keep polling. Skips subtests. */
afterEach(async (t) => {
  if (t.fullName !== t.name) return
  for (const context of unpooled.splice(0)) await context.close()
  for (const pooled of inUse.splice(0)) {
    if (!pooled.browser.isConnected()) continue
    await resetContext(pooled.context)
    idle.push(pooled)
  }
})

async function resetContext(context: BrowserContext): Promise<void> {
  const [page, ...others] = context.pages()
  for (const other of others) await other.close()
  await context.clearCookies()
  if (!page) return
  const { origin } = new URL(page.url())
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' })
  await page.close()
}
