import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { assertNoIds, auditView } from './support/audit.ts'
import {
  apiOf,
  assertNoErrors,
  signIn,
  startEnvironment,
  waitUntilLoaded,
} from './support/environment.ts'
import { pictureTime } from './support/screenshots.ts'

const env = await startEnvironment(pictureTime)
const { manager } = env.keys
const api = apiOf(env, manager)

/** Demo records with the most content. */
const { data: risks } = await api.risks.list({ query: { q: 'Scour' } })
const { data: issues } = await api.issues.list({ query: { limit: 1 } })
const { data: tasks } = await api.tasks.list({ query: { limit: 1 } })
const { data: groups } = await api.groups.list({ query: { limit: 1 } })
const [risk, issue, task, group] = [risks[0], issues[0], tasks[0], groups[0]]
const { key } = await api.keys.whoami()
assert.ok(risk && issue && task && group && key)

/** One URL for every route of the console. */
const addresses: Record<string, string> = {
  '/sign-in': '/sign-in',
  '/sign-in/$workspace': `/sign-in/${env.workspaceId}`,
  '/my-work': '/my-work',
  '/overview': '/overview',
  '/changes': '/changes',
  '/print/changes': '/print/changes',
  '/start': '/start',
  '/risks': '/risks',
  '/projects/$project_id/risks/$risk_id': `/projects/${risk.project_id}/risks/${risk.id}`,
  '/issues': '/issues',
  '/projects/$project_id/issues/$issue_id': `/projects/${issue.project_id}/issues/${issue.id}`,
  '/tasks': '/tasks',
  '/projects/$project_id/tasks/$task_id': `/projects/${task.project_id}/tasks/${task.id}`,
  '/projects': '/projects',
  '/projects/$project_id': `/projects/${risk.project_id}`,
  '/people': '/people',
  '/people/$user_id': `/people/${risk.owner_user_id}`,
  '/groups': '/groups',
  '/groups/$group_id': `/groups/${group.id}`,
  '/keys': '/keys',
  '/keys/$key_id': `/keys/${key.id}`,
  '/workspace': '/workspace',
  '/workspace/sign-in': '/workspace/sign-in',
  '/workspace/usage': '/workspace/usage',
  '/access': '/access',
  '/audit': '/audit',
  '/account': '/account',
  '/account/passkey': '/account/passkey',
  '/import': '/import',
  '/print/$list': '/print/risks',
  $: '/risks/nowhere',
}

/** Routes that lead to another one. */
const redirects: Record<string, string> = { '/': '/overview', '/settings': '/workspace' }

/** Views of a page that have a list of their own. */
const views: Record<string, string> = {
  '/risks?view=acceptances': '/risks?view=acceptances',
}

const routes = readFileSync(new URL('../packages/console/src/routes.tsx', import.meta.url), 'utf8')
const paths = Array.from(routes.matchAll(/ path: '([^']+)'/g), ([, path = '']) => path)

test('covers every route of the console', () => {
  assert.deepEqual(paths.toSorted(), Object.keys({ ...addresses, ...redirects }).toSorted())
})

test('leads to another page where people expect one', async () => {
  const { page } = await signIn(env, manager)
  for (const [path, target] of Object.entries(redirects)) {
    await page.goto(env.base + path)
    await page.waitForURL(env.base + target)
  }
})

/** Keeps back the names of people until `release`; until then a page shows something else. */
async function holdNames(page: Page) {
  let held = Promise.withResolvers<void>()
  const isNameRequest = ({ pathname, searchParams }: URL) =>
    pathname === '/v1/personnel' && searchParams.has('user_id')
  await page.route(isNameRequest, async (route) => {
    await held.promise
    await route.continue()
  })
  return {
    hold: () => void (held = Promise.withResolvers()),
    release: () => held.resolve(),
  }
}

/** The page of a record begins with a link to the list of its noun, which a phone hides. */
async function assertLeadsToList(page: Page, path: string): Promise<void> {
  const list = /(\/\w+)\/\$\w+_id$/.exec(path)?.[1]
  if (list === undefined) return
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
  const href = await trail.getByRole('link', { includeHidden: true }).first().getAttribute('href')
  assert.equal(new URL(href ?? '', env.base).pathname, list)
}

test('every page passes axe in both themes, fits every width and shows no id', async (t) => {
  const session = await signIn(env, manager, { width: 1440 })
  const { page } = session
  const names = await holdNames(page)
  for (const [path, address] of Object.entries({ ...addresses, ...views })) {
    await t.test(path, async () => {
      names.hold()
      await page.goto(env.base + address)
      await waitUntilLoaded(page)
      await assertLeadsToList(page, path)
      await assertNoIds(page)
      names.release()
      const name = path === '$' ? 'not-found' : path.slice(1).replaceAll(/\W+/g, '-') || 'home'
      await auditView({ page, part: 'body', name })
      await assertNoIds(page)
    })
  }
  assertNoErrors(session)
})
