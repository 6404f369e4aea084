import assert from 'node:assert/strict'

import type { Locator, Page } from 'playwright-core'

type Place = Page | Locator

export const button = (place: Place, name: string) =>
  place.getByRole('button', { name, exact: true })

export const inDialog = (page: Page, name: string) => button(page.getByRole('dialog'), name)

/** Until no dialog is open any more. */
export const gone = (page: Page) => page.getByRole('dialog').first().waitFor({ state: 'detached' })

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export const rowOf = (page: Page, name: string) => page.getByRole('row', { name })

/** The list has just these many rows. */
export async function assertRows(rows: Locator, count: number): Promise<void> {
  await rows.nth(count - 1).waitFor()
  assert.equal(await rows.count(), count)
}

export const theConflict = (page: Page) =>
  page.getByRole('dialog', { name: 'Someone else was faster' })

/** What is said in passing, at the edge of the page. */
export const says = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).last()

/** Takes back what the page says was done. */
export const undo = (page: Page, said: string | RegExp) => button(says(page, said), 'Undo').click()

/** What cannot be done is there all the same, and says why. */
export const assertRefused = (page: Page, name: string, reason: string | RegExp): Promise<void> =>
  page
    .getByRole('button', { name, exact: true, disabled: true, description: reason })
    .first()
    .waitFor()
