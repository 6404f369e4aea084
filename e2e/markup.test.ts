import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import {
  apiOf,
  assertNoErrors,
  waitUntilLoaded,
  signIn,
  startEnvironment,
} from './support/environment.ts'
import { region } from './support/steps.ts'

const env = await startEnvironment()
const workspaceName = '<img src=x onerror=alert(1)>'
const keys = await env.emptyWorkspace(workspaceName)
const api = apiOf(env, keys.manager)

/** Common cross-site scripting payloads. */
const payloads = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<body onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<input autofocus onfocus=alert(1)>',
  '<select autofocus onfocus=alert(1)>',
  '<textarea autofocus onfocus=alert(1)>',
  '<video><source onerror="alert(1)"></video>',
  '<audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<marquee onstart=alert(1)>',
  '<object data="javascript:alert(1)">',
  '<embed src="javascript:alert(1)">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '`><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '<base href="https://example.com/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="https://example.com/x.css">',
  '<form action="https://example.com"><button>x</button></form>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
]

/** Creates one record of each kind with the payload in every text field. Returns their paths. */
async function createRecords(text: string, index: number) {
  const person = await api.personnel.create({
    body: { name: text, title: text, department: text, phone: '+46', metadata: { note: text } },
  })
  const group = await api.groups.create({
    body: { name: text, description: text, member_user_ids: [person.id] },
  })
  const project = await api.projects.create({
    body: {
      code: `X${index}`,
      name: text,
      description: text,
      health: 'at_risk',
      health_note: text,
      owner_user_id: person.id,
    },
  })
  const params = { project_id: project.id }
  const risk = await api.risks.create({
    params,
    body: { title: text, description: text, likelihood: 5, impact: 5, owner_user_id: person.id },
  })
  const issue = await api.issues.create({
    params,
    body: {
      title: text,
      description: text,
      severity: 5,
      status: 'blocked',
      blocked_reason: text,
      assignee_user_id: person.id,
    },
  })
  await api.tasks.create({
    params,
    body: { title: text, description: text, assignee_user_id: person.id, risk_id: risk.id },
  })
  await api.risks.review({ params: { ...params, risk_id: risk.id }, body: { note: text } })
  await api.risks.accept({
    params: { ...params, risk_id: risk.id },
    body: { accepted_by_user_id: person.id, expires_on: '2099-01-01', rationale: text },
  })
  const key = await api.keys.create({ body: { name: text, scopes: ['personnel.read'] } })
  return [
    `/keys/${key.id}`,
    `/projects/${project.id}/risks/${risk.id}`,
    `/projects/${project.id}/issues/${issue.id}`,
    `/projects/${project.id}`,
    `/people/${person.id}`,
    `/groups/${group.id}`,
  ]
}

const records: { readonly text: string; readonly paths: string[] }[] = []
for (const [index, text] of payloads.entries()) {
  records.push({ text, paths: await createRecords(text, index) })
}
const lists = [
  '/overview',
  '/changes',
  '/tasks',
  '/risks',
  '/issues',
  '/projects',
  '/people',
  '/groups',
  '/keys',
  '/import',
  '/start',
]

/** Navigates on the client, so that no page load is aborted. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
  await waitUntilLoaded(page)
}

test('shows user input as text and runs no injected script', async () => {
  const session = await signIn(env, keys.manager)
  const { page } = session
  for (const path of lists) await navigate(page, path)
  await navigate(page, '/workspace')
  await region(page, 'Details').getByText(workspaceName).waitFor()
  for (const { text, paths } of records) {
    for (const path of paths) {
      await navigate(page, path)
      await page.getByRole('heading', { level: 1 }).getByText(text).waitFor()
    }
  }
  const injected = await page.evaluate(
    "document.querySelectorAll('main script, main iframe, main object, main base, main img').length",
  )
  assert.equal(injected, 0)
  assertNoErrors(session)
})
