import type { Page } from 'playwright-core'

import { apiOf, type PageSession, type Environment } from './environment.ts'

/** Creates a workspace with one project for one test. */
export async function newWorkspace(env: Environment, name: string) {
  const { manager: key } = await env.emptyWorkspace(name)
  const api = apiOf(env, key)
  const project = await api.projects.create({ body: { code: 'LOCK', name: 'Lock renewal' } })
  return { key, api, project, params: { project_id: project.id } }
}

export type Api = Awaited<ReturnType<typeof newWorkspace>>['api']

/** Adds the people and the second project that the files of the tests name. */
export async function addRoster(api: Api): Promise<void> {
  await api.projects.create({ body: { code: 'WEIR', name: 'Wehr Oberau' } })
  await api.personnel.create({ body: { name: 'Mara Lindqvist', email: 'mara@example.com' } })
  await api.personnel.create({ body: { name: 'Tomáš Kolář' } })
}

/** The panel of the selected cell. */
export const cellPanel = (page: Page) => page.getByRole('region', { name: 'Selected cell' })

/** The field for another value of the selected cell. */
export const cellField = (page: Page) => cellPanel(page).getByRole('combobox')

/** Waits until a cell is selected, such as “Owner, row 9”. */
export const cellSelected = (page: Page, place: string) =>
  cellPanel(page).getByRole('heading', { name: place, exact: true }).waitFor()

/** Types another value for the selected cell, and uses it. */
export async function correctCell(page: Page, place: string, value: string): Promise<void> {
  await cellSelected(page, place)
  await cellField(page).fill(value)
  await page.keyboard.press('Enter')
}

export async function chooseFile(
  page: Page,
  content: string | Buffer,
  name = 'list.csv',
): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: /^Choose (a|another) file$/ }).click()
  const buffer = Buffer.from(content)
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer })
}

export const batchCalls = ({ calls }: PageSession) =>
  calls.filter((call) => call.includes('/batch'))

/** The counts of the preview: new, changed, the same, left out. */
export async function previewCounts(page: Page): Promise<(string | null)[]> {
  await page.getByRole('tablist', { name: 'Preview' }).waitFor()
  return page.getByRole('definition').allTextContents()
}

/** The listed errors as `line | column | error`, sorted. */
export async function listedErrors(page: Page): Promise<string[]> {
  const rows = page.getByRole('table', { name: 'Errors' }).getByRole('row')
  await rows.nth(1).waitFor()
  const texts = (await rows.allInnerTexts()).slice(1)
  return texts.map((text) => text.split(/\s*[\t\n]\s*/, 3).join(' | ')).toSorted()
}
