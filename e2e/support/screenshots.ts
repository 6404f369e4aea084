import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { Page, PageScreenshotOptions, Request } from 'playwright-core'

const folder = fileURLToPath(new URL('../../.build/screenshots/', import.meta.url))

/** Whether pictures are taken, with `--screenshots` or `--long`. */
export const isPictured =
  process.env['MUSTER_LONG'] === '1' || process.env['MUSTER_SCREENSHOTS'] === '1'

/**
 * The time of the pages and dialogs with `--screenshots`, so that the pictures of two states of the
 * source can be compared: a Wednesday in the future. PostgreSQL judges by its own clock what has
 * expired, and nothing of the demo data has.
 */
export const pictureTime =
  process.env['MUSTER_SCREENSHOTS'] === '1' ? new Date('2040-01-18T12:00:00Z') : null

if (isPictured) mkdirSync(folder, { recursive: true })

/** Takes a picture of the page for people to look at, if pictures are taken. */
export async function screenshot(
  page: Page,
  name: string,
  options: PageScreenshotOptions = {},
): Promise<void> {
  if (isPictured) await page.screenshot({ path: `${folder}${name}.png`, ...options })
}

/** A day of this year with its time: PostgreSQL dates sessions, links and refusals itself. */
const present = new RegExp(
  String.raw`\b(?:\w+day, )?\d+ \w+ ${new Date().getUTCFullYear()}\b(?:, \d\d:\d\d)?`,
)

/** What differs in every run of the same source, and what pictures show instead. */
const masks = {
  'the random bits of an id': [/\b([a-z]{3}_)[0-7][\da-hjkmnp-tv-z]{25}\b/, `$1${'0'.repeat(26)}`],
  'the free port of the service': [/\b(localhost|127\.0\.0\.1):\d+/, '$1:00000'],
  'a random token': [/\b(muster_[a-z]+_)\w+/, `$1${'0'.repeat(65)}`],
  'a time of PostgreSQL': [present, 'the present'],
  'the time of an entry of the audit log, which can be one of PostgreSQL': [
    /^\d\d:\d\d:\d\d$/,
    '12:00:00',
  ],
} as const satisfies Readonly<Record<string, readonly [RegExp, string]>>

/** Masks the texts of the page and the values of its fields, and hides toasts. */
async function mask(page: Page): Promise<void> {
  const rules = Object.values(masks).map(([{ source }, text]) => [source, text])
  // A text, because this folder is compiled without the types of a browser.
  await page.evaluate(`{
    const masked = (text) => ${JSON.stringify(rules)}.reduce(
      (rest, [source, shown]) => rest.replaceAll(new RegExp(source, 'g'), shown),
      text,
    )
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      text.data = masked(text.data)
      // The start of a random token and its ellipsis are two texts of one element.
      const isToken = /^\\w{4}…$/.test(text.parentNode.textContent)
      if (isToken) text.data = text.data.replace(/^\\w{4}/, '0000')
    }
    for (const field of document.querySelectorAll('input[type=text], textarea')) {
      field.value = masked(field.value)
    }
    // A toast leaves after some seconds.
    for (const toasts of document.querySelectorAll('.mantine-Notifications-root')) {
      toasts.style.visibility = 'hidden'
    }
  }`)
}

/**
 * Returns a function that takes a picture of the page with masked texts, when all requests since
 * then have ended and two pictures in a row are equal: rows, names and fonts can load late.
 */
export function steadyPictures(page: Page): () => Promise<Buffer> {
  const pending = new Set<Request>()
  page.on('request', (request) => pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return async () => {
    let previous: Buffer | null = null
    for (let tries = 0; tries < 40; tries++) {
      await mask(page)
      const picture = await page.screenshot({ animations: 'disabled' })
      if (pending.size === 0 && previous?.equals(picture)) return picture
      previous = picture
      await sleep(300)
    }
    throw new Error(`The page ${page.url()} changes all the time.`)
  }
}

export function savePicture(name: string, picture: Buffer): void {
  writeFileSync(`${folder}${name}.png`, picture)
}
