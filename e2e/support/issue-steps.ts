import assert from 'node:assert/strict'

import type { Issue } from '@muster/contract'
import type { Page } from 'playwright-core'

import type { apiOf } from './environment.ts'

type Api = ReturnType<typeof apiOf>

/** Console path and API parameters of an issue. */
export const locationOf = ({ project_id, id }: Pick<Issue, 'project_id' | 'id'>) => ({
  path: `/projects/${project_id}/issues/${id}`,
  params: { project_id, issue_id: id },
})

/** Finds an issue of the demo data by a part of its title. */
export async function findIssue(api: Api, title: string) {
  const { data } = await api.issues.list({ query: { q: title, limit: 1 } })
  const [issue] = data
  assert.ok(issue, `the demo data has an issue “${title}”`)
  const { path, params } = locationOf(issue)
  return { issue, path, params, now: () => api.issues.view({ params }) }
}

export async function findProject(api: Api, q: string) {
  const { data } = await api.projects.list({ query: { q, limit: 1 } })
  assert.ok(data[0])
  return data[0]
}

export const issueRows = (page: Page) =>
  page.getByRole('table', { name: 'Open issues', exact: true }).locator('[data-row]')
