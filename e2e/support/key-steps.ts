import assert from 'node:assert/strict'

import type { NewKey } from '@muster/contract'
import type { Page } from 'playwright-core'

import { apiOf, signedIn, type World } from './world.ts'

/** What the tests of keys arrange and look at. */
export function keysOf(world: World, manager = world.keys.manager) {
  const api = apiOf(world, manager)
  return {
    api,
    make: (name: string, more: Partial<NewKey> = {}) =>
      api.keys.create({ body: { name, scopes: ['personnel.read'], ...more } }),
    view: ({ id }: { readonly id: string }) => api.keys.view({ params: { key_id: id } }),
    asManager: (path: string) =>
      signedIn(world, manager, { path, permissions: ['clipboard-read', 'clipboard-write'] }),
  }
}

export const pathOf = ({ id }: { readonly id: string }) => `/keys/${id}`

export const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Who this secret says one is; null when it is refused. */
export async function whoHolds(world: World, secret: string) {
  const headers = { authorization: `Bearer ${secret}` }
  const answer = await fetch(`${world.base}/v1/whoami`, { headers })
  return answer.ok ? ((await answer.json()) as { key: { id: string; name: string } }).key : null
}

/** The secret as it stands in the dialog, which shows the key and a command with it. */
export async function secretIn(page: Page): Promise<string> {
  const dialog = dialogOf(page, /is made$/)
  const secret = await dialog.getByRole('region', { name: 'The key' }).locator('pre').innerText()
  assert.match(secret, /^muster_key_\w{26}_\w{38}$/)
  const command = await dialog.getByRole('region', { name: 'Try it' }).locator('pre').innerText()
  assert.ok(command.startsWith(`curl -H 'Authorization: Bearer ${secret}' http`))
  return secret
}

/** Once its dialog is closed nothing in the browser knows it any more. */
export async function assertForgotten(page: Page, secret: string): Promise<void> {
  await dialogOf(page, /is made$/).waitFor({ state: 'detached' })
  const kept = await page.evaluate(`JSON.stringify([
    document.documentElement.outerHTML, location.href, history.state, document.cookie,
    { ...localStorage }, { ...sessionStorage },
    performance.getEntries().map(({ name }) => name),
  ])`)
  assert.ok(!String(kept).includes(secret))
}
