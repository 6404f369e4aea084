import { afterEach } from 'node:test'

import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'

interface Kept {
  readonly browser: Browser
  readonly kind: string
  readonly context: BrowserContext
}

const idle: Kept[] = []
const used: Kept[] = []

/**
 * A browser of one's own, as far as anyone can see: without cookies, and with nothing in store. It
 * may have loaded and compiled our files before, for another test.
 */
export async function borrowContext(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const kind = JSON.stringify(options)
  const found = idle.findIndex((each) => each.browser === browser && each.kind === kind)
  const kept = idle.splice(found, found === -1 ? 0 : 1)[0] ?? {
    browser,
    kind,
    context: await browser.newContext(options),
  }
  used.push(kept)
  return kept.context
}

/** Pages that nobody looks at any more would go on asking. A part of a test is not its end. */
afterEach(async (t) => {
  if (t.fullName !== t.name) return
  for (const kept of used.splice(0)) {
    if (!kept.browser.isConnected()) continue
    await forget(kept.context)
    idle.push(kept)
  }
})

async function forget(context: BrowserContext): Promise<void> {
  const [page, ...others] = context.pages()
  for (const other of others) await other.close()
  await context.clearCookies()
  if (!page) return
  const { origin } = new URL(page.url())
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' })
  await page.close()
}
