import { readFileSync } from 'node:fs'

import { type DemoLinks, makeDemoLinks, openOwner } from '@muster/api/seed'
import type { Risk } from '@muster/contract'
import type { Page } from 'playwright-core'

import { apiOf, type Environment, openPage, stopLive, waitUntilLoaded } from './environment.ts'
import { chooseFile } from './import-steps.ts'
import { atPublicUrl, declinePasskey, useLink } from './sign-in-steps.ts'
import { button } from './steps.ts'

/** A picture of the documentation: a page of the console with the demo data. */
export interface Picture {
  /** The person of the demo who is signed in. */
  readonly as: keyof DemoLinks
  /** The address of the page; of a record, the address of its list and its name. */
  readonly path: string
  /** A text that the page loads last. */
  readonly shown: string
  /** What is done on the page before the picture is taken. It changes no data. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** The size of all pictures, in pixels. */
const pictureSize = { width: 1280, height: 800 } as const

/** A spreadsheet that fits the demo, with seven wrong cells. */
const example = readFileSync(new URL('../../examples/register.xlsx', import.meta.url))

async function chooseExample(page: Page): Promise<void> {
  await chooseFile(page, example, 'register.xlsx')
  await page.getByText(/^40 rows, read /).waitFor()
}

/** A file that changes the title or the rating of risks of the demo. */
function changesOf(risks: readonly Risk[]): string {
  const rows = risks.map(({ ref, title, likelihood, impact }, at) => [
    ref,
    ref.split('-')[0],
    `"${at % 3 === 1 ? `${title}, phase 2` : title}"`,
    at % 3 === 0 ? likelihood - 1 : likelihood,
    at % 2 === 0 ? impact : impact - 1,
  ])
  return [['Ref', 'Project', 'Title', 'Likelihood', 'Impact'], ...rows].join('\n')
}

/** Every picture by its name: the file is docs/images/NAME.png, and NAME-dark.png. */
export async function picturesOf(env: Environment): Promise<Record<string, Picture>> {
  const api = apiOf(env, env.keys.manager)
  const [risk] = (await api.risks.list({ query: { q: 'Scour' } })).data
  const [issue] = (await api.issues.list({ query: { limit: 1 } })).data
  const [person] = (await api.personnel.list({ query: { q: 'Leïla' } })).data
  if (!risk || !issue || !person) throw new Error('The demo data lacks a record of a picture.')
  const [ofRisk, ofIssue] = [risk, issue].map(({ project_id }) => `/projects/${project_id}`)
  return {
    risks: { as: 'person', path: '/risks', shown: 'TUN-R1' },
    risk: { as: 'person', path: `${ofRisk}/risks/${risk.id}`, shown: 'Survey the bed' },
    project: { as: 'person', path: `${ofRisk}`, shown: risk.ref },
    'my-work': { as: 'person', path: '/my-work', shown: 'Overdue' },
    issue: { as: 'person', path: `${ofIssue}/issues/${issue.id}`, shown: issue.ref },
    people: { as: 'administrator', path: '/people', shown: 'Leïla' },
    person: { as: 'administrator', path: `/people/${person.id}`, shown: 'Assigned work' },
    keys: { as: 'administrator', path: '/keys', shown: 'HR sync' },
    'sign-in': {
      as: 'administrator',
      path: '/workspace/sign-in',
      shown: 'Redirect URI',
      prepare: async (page) => {
        await button(page, 'Set identity provider').click()
        await page.getByRole('dialog').getByLabel('Issuer').waitFor()
      },
    },
    audit: { as: 'administrator', path: '/audit', shown: 'Audit log' },
    ...importPictures(changesOf((await api.risks.list({ query: { limit: 9 } })).data)),
  }
}

/** The steps of an import. */
function importPictures(changes: string): Record<string, Picture> {
  const picture = (prepare: Picture['prepare'] & {}): Picture => ({
    as: 'administrator',
    path: '/import?kind=risks',
    shown: 'Import',
    prepare,
  })
  return {
    'import-columns': picture(chooseExample),
    import: picture(async (page) => {
      await chooseExample(page)
      await button(page, 'Next').click()
      await page.getByText('7 cells must be corrected.').waitFor()
    }),
    'import-check': picture(async (page) => {
      await chooseFile(page, changes, 'changes.csv')
      await button(page, 'Next').or(button(page, 'Import 9 rows')).first().waitFor()
      if (await button(page, 'Next').isVisible()) await button(page, 'Next').click()
      await page.getByRole('button', { name: /^Import \d+ rows$/ }).waitFor()
    }),
  }
}

/** Opens pages in one theme, as both people of the demo. */
export async function openPictures(env: Environment, colorScheme: 'light' | 'dark') {
  await using owner = openOwner(env.url)
  const { workspaceId, publicUrl } = env
  const links = await makeDemoLinks(owner, { workspaceId, publicUrl })
  const open = async (as: keyof DemoLinks) => {
    const { page } = await openPage(atPublicUrl(env), { colorScheme, viewport: pictureSize })
    await useLink(page, links[as])
    await declinePasskey(page)
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
    // Administrators have declined a passkey on a page of its own.
    if (as === 'person') await page.getByRole('note').getByRole('button').click()
    return page
  }
  const pages = { person: await open('person'), administrator: await open('administrator') }
  return async ({ as, path, shown, prepare }: Picture): Promise<Page> => {
    // The import asks before it leaves a chosen file, so its page is used once.
    const page = path.startsWith('/import') ? await pages[as].context().newPage() : pages[as]
    await stopLive(page)
    await page.setViewportSize(pictureSize)
    await page.goto(publicUrl + path)
    await waitUntilLoaded(page)
    await page.getByText(shown).first().waitFor()
    await prepare?.(page)
    await waitUntilLoaded(page)
    await page.waitForLoadState('networkidle')
    return page
  }
}

/**
 * What a page shows that does not depend on the day: titles, views, column heads, buttons and
 * references. Names with a digit are left out, because most contain a date or a number of days.
 */
export async function textsOf(page: Page): Promise<string[]> {
  const roles = ['heading', 'tab', 'columnheader', 'button'] as const
  const named = await Promise.all(
    roles.map((role) => page.locator('#content').getByRole(role).allInnerTexts()),
  )
  const names = named
    .flat()
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '' && !/\d/.test(text))
  const text = await page.locator('#content').innerText()
  return [...new Set([...names, ...(text.match(/\b[A-Z]{2,5}-[RIT]\d+\b/g) ?? [])])]
}
