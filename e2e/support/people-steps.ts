import assert from 'node:assert/strict'

import type { Client } from '@muster/client'
import type { Page } from 'playwright-core'

import { button } from './steps.ts'

/** Whoever of the story this name finds, also among those who left. */
export const finderIn = (api: Client) => async (q: string) => {
  const { data } = await api.personnel.list({
    query: { q, status: ['active', 'suspended', 'departed'] },
  })
  const [person] = data
  assert.ok(person, `${q} is in the story`)
  return person
}

export const at = ({ id }: { readonly id: string }) => `/people/${id}`

/** The dialog of this name, once its button was pressed. */
export async function opened(page: Page, name: string, title: string) {
  await button(page, name).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  return dialog
}

export type Dialog = Awaited<ReturnType<typeof opened>>

export async function choose(page: Page, within: Dialog, [field, name]: readonly [string, string]) {
  await within.getByRole('combobox', { name: field }).fill(name)
  await page.getByRole('option', { name }).click()
}
