import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Page, PageScreenshotOptions } from 'playwright-core'

const folder = fileURLToPath(new URL('../../.build/screenshots/', import.meta.url))

/** Whether pictures are taken, with `--screenshots` or `--long`. */
export const isPictured =
  process.env['MUSTER_LONG'] === '1' || process.env['MUSTER_SCREENSHOTS'] === '1'
if (isPictured) mkdirSync(folder, { recursive: true })

/** Takes a picture of the page for people to look at, if pictures are taken. */
export async function screenshot(
  page: Page,
  name: string,
  options: PageScreenshotOptions = {},
): Promise<void> {
  if (isPictured) await page.screenshot({ path: `${folder}${name}.png`, ...options })
}
