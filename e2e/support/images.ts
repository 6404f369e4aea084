import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { apiOf, waitUntilLoaded, signIn, startEnvironment } from './environment.ts'

/**
 * Regenerates the screenshots of the README from the demo data:
 * `npm run e2e -- e2e/support/images.ts`
 */
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
mkdirSync(folder, { recursive: true })

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)
const [risk] = (await api.risks.list({ query: { q: 'Scour' } })).data
const [person] = (await api.personnel.list({ query: { q: 'Leïla' } })).data

/** `shown` is a text that the page loads last. */
const pictures = {
  risks: { path: '/risks', shown: 'TUN-R1' },
  risk: { path: `/projects/${risk?.project_id}/risks/${risk?.id}`, shown: 'Survey the bed' },
  'issues-dark': { path: '/issues', colorScheme: 'dark', shown: 'TUN-I3' },
  person: { path: `/people/${person?.id}`, shown: 'Jürgen Weiß →' },
  projects: { path: '/projects', shown: 'PUMP' },
} as const

for (const [name, { shown, ...options }] of Object.entries(pictures)) {
  test(name, async () => {
    const { page } = await signIn(env, manager, { width: 1280, ...options })
    await waitUntilLoaded(page)
    await page.getByText(shown).first().waitFor()
    await page.screenshot({ path: `${folder}${name}.png` })
  })
}
