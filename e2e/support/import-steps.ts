import type { Page } from 'playwright-core'

import { apiOf, type PageSession, type Environment } from './environment.ts'

/** Creates a workspace with one project for one test. */
export async function newWorkspace(env: Environment, name: string) {
  const { manager: key } = await env.emptyWorkspace(name)
  const api = apiOf(env, key)
  const project = await api.projects.create({ body: { code: 'LOCK', name: 'Lock renewal' } })
  return { key, api, project, params: { project_id: project.id } }
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

/** The new, changed and unchanged counts of the preview. */
export async function previewCounts(page: Page): Promise<(string | null)[]> {
  await page.getByRole('heading', { name: 'Preview' }).waitFor()
  return page.getByRole('definition').allTextContents()
}

/** The listed errors as `line | column | error`, sorted. */
export async function listedErrors(page: Page): Promise<string[]> {
  const rows = page.getByRole('table', { name: 'Errors' }).getByRole('row')
  await rows.nth(1).waitFor()
  const texts = (await rows.allInnerTexts()).slice(1)
  return texts.map((text) => text.split(/\s*[\t\n]\s*/, 3).join(' | ')).toSorted()
}
