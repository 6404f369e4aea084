import assert from 'node:assert/strict'

import type { NewRisk, Risk } from '@muster/contract'
import type { Page } from 'playwright-core'

import { apiOf, signIn, startEnvironment, type PageSession } from './environment.ts'
import { button, region } from './steps.ts'

/** Starts the environment and returns the shared steps of the risk tests. */
export async function startRiskTests() {
  const env = await startEnvironment()
  const api = apiOf(env, env.keys.manager)
  const { data: projects } = await api.projects.list({ query: { q: 'DAM' } })
  const dam = projects.find(({ code }) => code === 'DAM')
  assert(dam)
  return {
    env,
    api,
    dam,
    findRisk: async (ref: string): Promise<Risk> => {
      const { data } = await api.risks.list({ query: { q: ref } })
      const risk = data.find((each) => each.ref === ref)
      assert(risk)
      return risk
    },
    findPerson: async (name: string) => {
      const { data } = await api.personnel.list({ query: { q: name } })
      assert(data[0])
      return data[0]
    },
    /** Creates a risk for one test. */
    createRisk: (body: Partial<NewRisk> = {}, project_id = dam.id) =>
      api.risks.create({
        params: { project_id },
        body: { title: 'The ferry does not come', likelihood: 3, impact: 4, ...body },
      }),
    /** The current state of the risk in the API. */
    now: ({ project_id, id }: Risk) => api.risks.view({ params: { project_id, risk_id: id } }),
    openRisk: ({ project_id, id }: Risk, key = env.keys.manager): Promise<PageSession> =>
      signIn(env, key, { path: `/projects/${project_id}/risks/${id}` }),
  }
}

/** An action button on the page of a risk, outside dialogs. */
export const action = (page: Page, name: string) =>
  button(page.getByRole('group', { name: /^Actions for/ }).or(region(page, 'Treatment')), name)

/** Presses an action button and returns the dialog that it opens. */
export async function openDialog(page: Page, name: string) {
  await action(page, name).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}
