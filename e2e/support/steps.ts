import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'

import type { Locator, Page } from 'playwright-core'

type Scope = Page | Locator

export const button = (scope: Scope, name: string) =>
  scope.getByRole('button', { name, exact: true })

export const dialogButton = (page: Page, name: string) => button(page.getByRole('dialog'), name)

/** Waits until no dialog is open. */
export const dialogClosed = (page: Page) =>
  page.getByRole('dialog').first().waitFor({ state: 'detached' })

/** Chooses an entry of the ⋯ menu of a record. The “…” after its name can be left out. */
export async function chooseAction(page: Page, of: string, action: string): Promise<void> {
  await button(page, `More actions: ${of}`).click()
  const name = new RegExp(`^${action.replace(/ …$/, '')}(?: …)?$`)
  await page.getByRole('menuitem', { name }).click()
}

/** Exports the list of the page, and returns the name and the content of the file. */
export async function exportList(page: Page, format: 'CSV' | 'Excel workbook (XLSX)') {
  const saved = page.waitForEvent('download')
  await button(page, 'Export').click()
  await page.getByRole('menuitem', { name: format }).click()
  const file = await saved
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

/** Exports the list of the page as CSV. */
export const exportCsv = async (page: Page) => (await exportList(page, 'CSV')).content.toString()

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export const rowOf = (page: Page, name: string) => page.getByRole('row', { name })

/** Asserts that the list has exactly `count` rows. It keeps the previous rows while it loads. */
export async function assertRows(rows: Locator, count: number): Promise<void> {
  await rows.nth(count - 1).waitFor()
  await rows.nth(count).waitFor({ state: 'detached' })
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

/** Next and Previous keep their place at the end of the list. */
const deadButton = '[aria-disabled=true]:not([aria-label="Place in the list"] *)'

/** Asserts that there are no such buttons: the principal has no scope for them. */
export async function assertNotOffered(page: Page, ...names: readonly string[]): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  for (const name of names) assert.equal(await button(page, name).count(), 0, name)
  assert.equal(await page.locator(deadButton).count(), 0, 'no dead buttons')
}

/** A property of a record: the button that shows the value and opens its editor. */
export const property = (page: Page, name: string) =>
  page.getByRole('button').filter({ has: page.getByText(`Change: ${name}`, { exact: true }) })

/** Chooses a value in the editor of a property. */
export async function chooseProperty(page: Page, name: string, value: string): Promise<void> {
  await property(page, name).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

/** The filters of a list. Opens them if they are closed. */
export async function openFilters(page: Page): Promise<Locator> {
  const fields = page.getByRole('dialog', { name: 'Filters' })
  if (!(await fields.isVisible())) await button(page, 'Filters').click()
  await fields.waitFor()
  return fields
}

interface ListLayout {
  readonly firstTop: number
  readonly rowHeight: number
  /** The number of rows that are in the viewport as a whole. */
  readonly shown: number
}

/** Where the rows of a list are. */
export async function listLayout(rows: Locator): Promise<ListLayout> {
  await rows.first().waitFor()
  const boxes = await rows.evaluateAll((all) =>
    all.map((row) => {
      const { top, bottom, height } = row.getBoundingClientRect()
      return { top, bottom, height }
    }),
  )
  const height = rows.page().viewportSize()?.height ?? 0
  return {
    firstTop: Math.min(...boxes.map(({ top }) => top)),
    rowHeight: Math.max(...boxes.map((box) => box.height)),
    shown: boxes.filter(({ top, bottom }) => top >= 0 && bottom <= height).length,
  }
}
