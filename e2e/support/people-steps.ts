import assert from 'node:assert/strict'

import type { Client } from '@muster/client'
import type { Page } from 'playwright-core'

import { button, chooseAction } from './steps.ts'

/** Finds a person of the demo data by name, including departed people. */
export const personFinder = (api: Client) => async (q: string) => {
  const { data } = await api.personnel.list({
    query: { q, status: ['active', 'suspended', 'departed'] },
  })
  const [person] = data
  assert.ok(person, `${q} is in the demo data`)
  return person
}

export const pathOf = ({ id }: { readonly id: string }) => `/people/${id}`

/** Presses a button and returns the dialog that it opens. */
export async function openDialog(page: Page, name: string, title: string) {
  await button(page, name).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  return dialog
}

export type Dialog = Awaited<ReturnType<typeof openDialog>>

export async function chooseOption(
  page: Page,
  within: Dialog,
  [field, name]: readonly [string, string],
) {
  await within.getByRole('combobox', { name: field }).fill(name)
  await page.getByRole('option', { name }).click()
}

/** Chooses an action of a person in the ⋯ menu and returns its dialog, such as “Edit Mara”. */
export async function startAction(page: Page, action: string, name: string) {
  await chooseAction(page, name, action)
  const dialog = page.getByRole('dialog', { name: `${action} ${name}` })
  await dialog.waitFor()
  return dialog
}

/** The names in the ⋯ menu of a record. */
export async function menuOf(page: Page): Promise<string[]> {
  await page
    .getByRole('button', { name: /^More actions: / })
    .first()
    .click()
  await page.getByRole('menuitem').first().waitFor()
  const names = await page.getByRole('menuitem').allInnerTexts()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  return names
}

/** The properties of a record. */
export const properties = (page: Page) =>
  page.getByRole('complementary', { name: 'Properties', exact: true })

/** The property that says whether new work can be assigned. */
export const takesNewWork = (page: Page, answer: 'Yes' | 'No') =>
  properties(page)
    .locator('div', { has: page.getByText('Takes new work', { exact: true }) })
    .getByText(answer, { exact: true })

let projectCount = 0

/** Creates a person for one test, with this number of assigned tasks. */
export const personCreator =
  (api: Client) =>
  async (name: string, tasks = 0) => {
    const person = await api.personnel.create({ body: { name, title: 'Diver' } })
    if (tasks === 0) return { person, project_id: '' }
    projectCount += 1
    const project = await api.projects.create({
      body: { code: `DIV${projectCount}`, name: `Dives ${projectCount}` },
    })
    for (let task = 1; task <= tasks; task++) {
      await api.tasks.create({
        params: { project_id: project.id },
        body: { title: `Dive ${task}`, assignee_user_id: person.id },
      })
    }
    return { person, project_id: project.id }
  }
