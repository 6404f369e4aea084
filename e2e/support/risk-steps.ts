import assert from 'node:assert/strict'

import type { NewRisk, Risk } from '@muster/contract'
import type { Page } from 'playwright-core'

import { apiOf, signIn, startEnvironment, type PageSession } from './environment.ts'
import { button } from './steps.ts'

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
    /** Opens a risk on a page that does not show the changes of others. */
    openStaleRisk: ({ project_id, id }: Risk): Promise<PageSession> =>
      signIn(env, env.keys.manager, {
        path: `/projects/${project_id}/risks/${id}`,
        isLive: false,
      }),
  }
}

/** The actions with a button of their own; the menu has the others. */
const buttons = new Set(['Review', 'Reopen', 'Add task'])

/** Opens the menu of the record. */
async function openMenu(page: Page) {
  await page.getByRole('button', { name: /^More actions: / }).click()
  const menu = page.getByRole('menu')
  await menu.waitFor()
  return menu
}

/** Chooses an action of the record and returns the dialog that it opens. */
export async function openDialog(page: Page, name: string) {
  if (buttons.has(name)) await button(page, name).click()
  else await (await openMenu(page)).getByRole('menuitem', { name: `${name} …` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

/** Asserts the actions in the menu and which of them are disabled, with the reason. */
export async function assertMenu(page: Page, names: readonly string[], reason?: RegExp) {
  const menu = await openMenu(page)
  const items = menu.getByRole('menuitem')
  const texts = await items.allTextContents()
  assert.deepEqual(
    texts.map((text) => text.split(' …')[0]),
    [...names, 'Copy link'],
  )
  if (reason !== undefined) {
    for (const name of names) {
      const item = menu.getByRole('menuitem', { name: `${name} …`, disabled: true })
      await item.getByText(reason).waitFor()
    }
  }
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
}

export const properties = (page: Page) => page.getByRole('complementary', { name: 'Properties' })
