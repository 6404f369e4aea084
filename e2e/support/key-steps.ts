import assert from 'node:assert/strict'

import type { NewKey } from '@muster/contract'
import type { Page } from 'playwright-core'

import { apiOf, signIn, type Environment } from './environment.ts'

/** Shared steps of the key tests. */
export function keySteps(env: Environment, manager = env.keys.manager) {
  const api = apiOf(env, manager)
  return {
    api,
    createKey: (name: string, more: Partial<NewKey> = {}) =>
      api.keys.create({ body: { name, scopes: ['personnel.read'], ...more } }),
    view: ({ id }: { readonly id: string }) => api.keys.view({ params: { key_id: id } }),
    asManager: (path: string, options: { readonly isFresh?: boolean } = {}) =>
      signIn(env, manager, {
        path,
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      }),
  }
}

export const pathOf = ({ id }: { readonly id: string }) => `/keys/${id}`

export const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Returns the key that this secret authenticates, or null if the service refuses it. */
export async function keyOfSecret(env: Environment, secret: string) {
  const headers = { authorization: `Bearer ${secret}` }
  const answer = await fetch(`${env.base}/v1/whoami`, { headers })
  return answer.ok ? ((await answer.json()) as { key: { id: string; name: string } }).key : null
}

/** Reads the secret from the dialog and checks the example request. */
export async function readSecret(page: Page): Promise<string> {
  const dialog = dialogOf(page, / created$/)
  const secret = await dialog.getByRole('region', { name: 'Secret key' }).locator('pre').innerText()
  assert.match(secret, /^muster_key_\w{26}_\w{38}$/)
  const command = await dialog
    .getByRole('region', { name: 'Example request' })
    .locator('pre')
    .innerText()
  assert.ok(command.startsWith(`curl -H 'Authorization: Bearer ${secret}' http`))
  return secret
}

/** Asserts that the browser keeps no copy of the secret after the dialog is closed. */
export async function assertSecretCleared(page: Page, secret: string): Promise<void> {
  await dialogOf(page, / created$/).waitFor({ state: 'detached' })
  const kept = await page.evaluate(`JSON.stringify([
    document.documentElement.outerHTML, location.href, history.state, document.cookie,
    { ...localStorage }, { ...sessionStorage },
    performance.getEntries().map(({ name }) => name),
  ])`)
  assert.ok(!String(kept).includes(secret))
}
