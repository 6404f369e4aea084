import { existsSync } from 'node:fs'

import { atEndOfProcess } from '@muster/testing/at-end'
import { type Browser, chromium } from 'playwright-core'

/** The headless shell uses a third less CPU than the full browser. */
const shell = '/usr/bin/chromium-headless-shell'
const installed = existsSync(shell) ? shell : '/usr/bin/chromium'

const launch = () =>
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
      // Otherwise the edges of what is painted again differ from run to run.
      '--disable-partial-raster',
      // No test leaves this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  })

let launched: Promise<Browser> | null = null

/** The browser of this process, which all its test files share. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launch().then((browser) => {
    atEndOfProcess(() => browser.close())
    return browser
  })
  return launched
}
