import assert from 'node:assert/strict'

import type { Client } from '@muster/client'
import type { Page } from 'playwright-core'

import { button } from './steps.ts'

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
