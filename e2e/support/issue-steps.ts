import assert from 'node:assert/strict'

import type { Issue } from '@muster/contract'
import type { Page } from 'playwright-core'

import type { apiOf } from './world.ts'

type Api = ReturnType<typeof apiOf>

/** Where an issue is: for the browser, and for the API. */
export const place = ({ project_id, id }: Pick<Issue, 'project_id' | 'id'>) => ({
  path: `/projects/${project_id}/issues/${id}`,
  params: { project_id, issue_id: id },
})

/** An issue of the story, by what its title contains. */
export async function storied(api: Api, title: string) {
  const { data } = await api.issues.list({ query: { q: title, limit: 1 } })
  const [issue] = data
  assert.ok(issue, `the story has an issue “${title}”`)
  const { path, params } = place(issue)
  return { issue, path, params, now: () => api.issues.view({ params }) }
}

export async function projectNamed(api: Api, q: string) {
  const { data } = await api.projects.list({ query: { q, limit: 1 } })
  assert.ok(data[0])
  return data[0]
}

export const rowsOf = (page: Page) =>
  page
    .getByRole('table', { name: 'Open issues', exact: true })
    .getByRole('row')
    .filter({ hasNotText: 'Rank' })
