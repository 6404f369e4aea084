import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { apiOf, settle, signedIn, startWorld } from './world.ts'

/**
 * Takes the pictures of the README anew, from the story as everyone has it:
 * `npm run e2e -- e2e/images.ts`
 */
const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))
mkdirSync(folder, { recursive: true })

const world = await startWorld()
const { manager } = world.keys
const api = apiOf(world, manager)
const [risk] = (await api.risks.list({ query: { q: 'Scour' } })).data

const pictures = {
  risks: { path: '/risks' },
  risk: { path: `/projects/${risk?.project_id}/risks/${risk?.id}` },
  'issues-dark': { path: '/issues', colorScheme: 'dark' },
  person: { path: `/people/${risk?.owner_user_id}` },
  projects: { path: '/projects' },
} as const

for (const [name, options] of Object.entries(pictures)) {
  test(name, async () => {
    const { page } = await signedIn(world, manager, { width: 1280, ...options })
    await settle(page)
    await page.screenshot({ path: `${folder}${name}.png` })
  })
}
