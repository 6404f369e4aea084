import type { Page } from 'playwright-core'

import { apiOf, type Visit, type World } from './world.ts'

/** A workspace of its own with one project, for what is counted. */
export async function newPlace(world: World, name: string) {
  const { manager: key } = await world.emptyWorkspace(name)
  const api = apiOf(world, key)
  const project = await api.projects.create({ body: { code: 'LOCK', name: 'Lock renewal' } })
  return { key, api, project, params: { project_id: project.id } }
}

export async function choose(
  page: Page,
  content: string | Buffer,
  name = 'list.csv',
): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: /^Choose (a|another) file$/ }).click()
  const buffer = Buffer.from(content)
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer })
}

export const batchesIn = ({ calls }: Visit) => calls.filter((call) => call.includes('/batch'))

/** New, changed and unchanged, as the preview counts them. */
export async function countsIn(page: Page): Promise<(string | null)[]> {
  await page.getByRole('heading', { name: 'The first rows' }).waitFor()
  return page.getByRole('definition').allTextContents()
}

/** What is to be corrected, as `line column what is wrong`. */
export async function flawsIn(page: Page): Promise<string[]> {
  const rows = page.getByRole('table', { name: 'What to correct' }).getByRole('row')
  await rows.nth(1).waitFor()
  const texts = (await rows.allInnerTexts()).slice(1)
  return texts.map((text) => text.split(/\s*[\t\n]\s*/, 3).join(' | ')).toSorted()
}
