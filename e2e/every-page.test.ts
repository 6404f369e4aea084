import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { AxeBuilder } from '@axe-core/playwright'

import { apiOf, assertQuiet, overflowOf, settle, shots, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { manager } = world.keys
const api = apiOf(world, manager)

/** Things of the story that have most to show. */
const { data: risks } = await api.risks.list({ query: { q: 'Scour' } })
const { data: issues } = await api.issues.list({ query: { limit: 1 } })
const { data: groups } = await api.groups.list({ query: { limit: 1 } })
const [risk, issue, group] = [risks[0], issues[0], groups[0]]
const { key } = await api.keys.whoami()
assert.ok(risk && issue && group)

/** An address for every page of the console. */
const addresses: Record<string, string> = {
  '/sign-in': '/sign-in',
  '/': '/',
  '/start': '/start',
  '/risks': '/risks',
  '/projects/$project_id/risks/$risk_id': `/projects/${risk.project_id}/risks/${risk.id}`,
  '/issues': '/issues',
  '/projects/$project_id/issues/$issue_id': `/projects/${issue.project_id}/issues/${issue.id}`,
  '/projects': '/projects',
  '/projects/$project_id': `/projects/${risk.project_id}`,
  '/people': '/people',
  '/people/$user_id': `/people/${risk.owner_user_id}`,
  '/groups': '/groups',
  '/groups/$group_id': `/groups/${group.id}`,
  '/keys': '/keys',
  '/keys/$key_id': `/keys/${key.id}`,
  '/workspace': '/workspace',
  '/import': '/import',
}

const routes = readFileSync(new URL('../packages/console/src/routes.tsx', import.meta.url), 'utf8')
const paths = Array.from(routes.matchAll(/ path: '([^']+)'/g), ([, path = '']) => path)

test('every page of the console is looked at', () => {
  assert.deepEqual(paths.toSorted(), Object.keys(addresses).toSorted())
})

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

test('every page can be used by everyone, in light and in dark, and none sticks out', async (t) => {
  const seen = await signedIn(world, manager, { width: 1440 })
  const { page } = seen
  for (const [path, address] of Object.entries(addresses)) {
    await t.test(path, async () => {
      const picture = (of: string) => ({ path: `${shots}${nameOf(path)}-${of}.png` })
      await page.setViewportSize({ width: 1440, height: 900 })
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(world.base + address)
        await settle(page)
        const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
        const told = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`,
        )
        assert.deepEqual(told, [], colorScheme)
        assert.equal(await overflowOf(page), 0)
        await page.screenshot(picture(`1440-${colorScheme}`))
      }
      for (const width of [768, 375]) {
        await page.setViewportSize({ width, height: 900 })
        await settle(page)
        assert.equal(await overflowOf(page), 0, `at ${width} pixels`)
        await page.screenshot({ ...picture(String(width)), fullPage: true })
      }
    })
  }
  assertQuiet(seen)
})

const nameOf = (path: string) => path.slice(1).replaceAll(/\W+/g, '-') || 'home'
