import assert from 'node:assert/strict'

import type { Locator, Page } from 'playwright-core'

type Scope = Page | Locator

export const button = (scope: Scope, name: string) =>
  scope.getByRole('button', { name, exact: true })

export const dialogButton = (page: Page, name: string) => button(page.getByRole('dialog'), name)

/** Waits until no dialog is open. */
export const dialogClosed = (page: Page) =>
  page.getByRole('dialog').first().waitFor({ state: 'detached' })

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export const rowOf = (page: Page, name: string) => page.getByRole('row', { name })

/** Asserts that the list has exactly `count` rows. */
export async function assertRows(rows: Locator, count: number): Promise<void> {
  await rows.nth(count - 1).waitFor()
  assert.equal(await rows.count(), count)
}

export const conflictDialog = (page: Page) =>
  page.getByRole('dialog', { name: 'This was changed by someone else' })

/** The last toast with this text. */
export const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).last()

/** Presses Undo in the toast with this text. */
export const undo = (page: Page, text: string | RegExp) => button(toast(page, text), 'Undo').click()

/** Asserts that the button is disabled and described by the reason. */
export const assertDisabled = (page: Page, name: string, reason: string | RegExp): Promise<void> =>
  page
    .getByRole('button', { name, exact: true, disabled: true, description: reason })
    .first()
    .waitFor()
