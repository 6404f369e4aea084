import assert from 'node:assert/strict'

import type { NewRisk, Risk } from '@muster/contract'
import type { Page } from 'playwright-core'

import { button, region } from './steps.ts'
import { apiOf, signedIn, startWorld, type Visit } from './world.ts'

/** A world, and what a test about one risk does in it again and again. */
export async function startRisks() {
  const world = await startWorld()
  const api = apiOf(world, world.keys.manager)
  const { data: projects } = await api.projects.list({ query: { q: 'DAM' } })
  const dam = projects.find(({ code }) => code === 'DAM')
  assert(dam)
  return {
    world,
    api,
    dam,
    riskOf: async (ref: string): Promise<Risk> => {
      const { data } = await api.risks.list({ query: { q: ref } })
      const risk = data.find((each) => each.ref === ref)
      assert(risk)
      return risk
    },
    personOf: async (name: string) => {
      const { data } = await api.personnel.list({ query: { q: name } })
      assert(data[0])
      return data[0]
    },
    /** A risk that only one test is about. */
    entered: (body: Partial<NewRisk> = {}, project_id = dam.id) =>
      api.risks.create({
        params: { project_id },
        body: { title: 'The ferry does not come', likelihood: 3, impact: 4, ...body },
      }),
    /** What the API says of it by now. */
    now: ({ project_id, id }: Risk) => api.risks.view({ params: { project_id, risk_id: id } }),
    see: ({ project_id, id }: Risk, key = world.keys.manager): Promise<Visit> =>
      signedIn(world, key, { path: `/projects/${project_id}/risks/${id}` }),
  }
}

/** What can be done to a risk, apart from what is in a dialog. */
export const deed = (page: Page, name: string) =>
  button(page.getByRole('group', { name: /^What can be done/ }).or(region(page, 'Treatment')), name)

/** The dialog that a button opens. */
export async function opened(page: Page, name: string) {
  await deed(page, name).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}
