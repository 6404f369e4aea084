import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Page } from 'playwright-core'

import { axeViolations, contrast, wcag } from './axe.ts'
import { horizontalOverflow, waitUntilLoaded } from './environment.ts'
import { isPictured, pictureTime, savePicture, screenshot, steadyPictures } from './screenshots.ts'

interface View {
  readonly page: Page
  /** A selector of the part that axe audits. */
  readonly part: string
  readonly name: string
  readonly widths?: readonly number[]
}

/**
 * Waits until the page has the theme and shows its final colours. They fade when the theme changes,
 * and axe judges the colours of the moment.
 */
async function waitForTheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  // Not waitForFunction: it evaluates text in the page, which the content security policy refuses.
  const isFading = `document.getAnimations().some(({ playState, effect }) =>
    // The spinner of a button that waits for a second dialog never ends.
    playState === 'running' && effect.getTiming().iterations !== Infinity)`
  while (await page.evaluate<boolean>(isFading)) await sleep(20)
}

const isLong = process.env['MUSTER_LONG'] === '1'

/** Whether axe runs at this width and in this theme; other views are measured. */
const isAudited = (width: number, colorScheme: 'dark' | 'light') =>
  width === 1440 || (width === 375 && (isLong || colorScheme === 'light'))

/**
 * Audits what the page shows with axe in both themes, and checks that it fits every width. With
 * `--long`, axe also runs at 375 pixels in the dark theme. With `--screenshots`, it takes pictures
 * at 1440 and 375 pixels instead.
 */
export async function auditView(view: View): Promise<void> {
  if (pictureTime) {
    await takePictures(view)
    return
  }
  const { page, part, name, widths = [1440, 1024, 768, 375] } = view
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      if (colorScheme === 'dark' && !isAudited(width, colorScheme) && !isPictured) continue
      await page.emulateMedia({ colorScheme })
      await waitUntilLoaded(page)
      await waitForTheme(page, colorScheme)
      const of = `${name} at ${width} pixels, ${colorScheme}`
      if (colorScheme === 'light') assert.equal(await horizontalOverflow(page), 0, of)
      if (isAudited(width, colorScheme)) {
        // The themes differ in colours only, so the dark one needs only the rule about contrast.
        const rules = colorScheme === 'light' ? wcag : contrast
        assert.deepEqual(await axeViolations(page, { part, rules }), [], of)
      }
      await screenshot(page, `${name}-${width}-${colorScheme}`)
    }
  }
}

/** The height that the page has beyond the window, and the parts that scroll beyond their own. */
const hiddenHeight = `Math.max(...[
  document.documentElement,
  ...document.querySelectorAll('#content, [data-scroll-restoration-id]'),
].map((each) => each.scrollHeight - each.clientHeight))`

/** Takes the pictures that can be compared: of a page all of it, of a dialog the window. */
async function takePictures({ page, part, name, widths = [1440, 375] }: View): Promise<void> {
  const steadyPicture = steadyPictures(page)
  if (part === 'body') await page.waitForLoadState('networkidle')
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await waitUntilLoaded(page)
    if (part === 'body') {
      // The layout takes a moment to adapt to the width.
      await steadyPicture()
      const height = 900 + (await page.evaluate<number>(hiddenHeight))
      await page.setViewportSize({ width, height })
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await waitUntilLoaded(page)
      await waitForTheme(page, colorScheme)
      savePicture(`${name}-${width}-${colorScheme}`, await steadyPicture())
    }
  }
}

/** An id of a record. The id of the workspace is part of its sign-in address, which pages show. */
const anId = /\b(?!wsp_)[a-z]{3}_[0-7][\da-hjkmnp-tv-z]{25}\b/g

/** Asserts that no id of a record stands in the text of the page. */
export async function assertNoIds(page: Page): Promise<void> {
  assert.deepEqual((await page.locator('body').innerText()).match(anId), null)
}
