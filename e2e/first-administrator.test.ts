import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { Page } from 'playwright-core'

import { auditView } from './support/audit.ts'
import { axeViolations, wcag } from './support/axe.ts'
import { assertNoErrors, openPage, startEnvironment } from './support/environment.ts'
import { dialogOf } from './support/key-steps.ts'
import { chooseOption } from './support/people-steps.ts'
import { screenshot } from './support/screenshots.ts'
import {
  addAuthenticator,
  ageSessions,
  atPublicUrl,
  signInSteps,
  useLink,
} from './support/sign-in-steps.ts'
import { button, heading, rowOf, toast } from './support/steps.ts'

const env = await startEnvironment()
const root = fileURLToPath(new URL('../', import.meta.url))

/** Runs a command as the operator does, and returns the last line that it prints. */
async function runCommand(command: string): Promise<string> {
  const [program = '', ...args] = command.split(' ')
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: env.url, PUBLIC_URL: env.publicUrl },
  })
  return stdout.trimEnd().split('\n').at(-1) ?? ''
}

/** A workspace with one administrator, who opens the link that the operator sends her. */
async function firstAdministrator(workspace: string) {
  const { manager } = await env.emptyWorkspace(workspace)
  const { api, addPerson } = signInSteps(env, manager)
  const email = `mara@${workspace.toLowerCase()}.example`
  const mara = await api.personnel.create({ body: { name: 'Mara Lindqvist', email } })
  await api.access.replace({ body: { entries: [{ role: 'admin', user_id: mara.id }] } })
  await addPerson('Edda Holm')
  const { workspace: own } = await api.keys.whoami()
  const signInLink = `npm run -s admin -- sign-in-link ${email} --workspace ${own.id}`
  const session = await openPage(atPublicUrl(env))
  const { page } = session
  await addAuthenticator(page)
  await useLink(page, await runCommand(signInLink))
  await heading(page, 'Add a passkey').waitFor()
  return { session, page }
}

/** Fills in the form that gives a role, and sends it. */
async function giveRole(page: Page): Promise<void> {
  await page.goto(`${env.publicUrl}/access`)
  await button(page, 'Add access').click()
  const form = dialogOf(page, 'Add access')
  await chooseOption(page, form, ['Person', 'Edda Holm'])
  await form.getByLabel('Role').selectOption('Manager')
  await button(form, 'Add').click()
}

const anHour = 60
const isLong = process.env['MUSTER_LONG'] === '1'

/** Not `auditView`: the button behind the dialog shows that its request waits, and never rests. */
async function auditDialog(page: Page): Promise<void> {
  assert.deepEqual(await axeViolations(page, { part: '[role=dialog]', rules: wcag }), [])
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await screenshot(page, `sign-in-again-${width}-${colorScheme}`)
    }
  }
}

test('who adds a passkey when asked gives a role an hour later without a command', async () => {
  const { session, page } = await firstAdministrator('Passkey')
  if (isLong) await auditView({ page, part: 'body', name: 'first-passkey' })
  await button(page, 'Add a passkey').click()
  await heading(page, 'Start').waitFor()
  await ageSessions(env, anHour)

  await giveRole(page)
  const dialog = dialogOf(page, 'Sign in again')
  await button(dialog, 'Sign in with a passkey').waitFor()
  assert.doesNotMatch(await dialog.innerText(), /sign-in-link/)
  await button(dialog, 'Sign in with a passkey').click()
  await toast(page, 'Edda Holm is now Manager.').waitFor()
  await rowOf(page, 'Edda Holm').getByText('Manager').waitFor()
  assertNoErrors(session)
})

test('who refuses gives a role an hour later with the command that the console names', async () => {
  const { session, page } = await firstAdministrator('Command')
  await button(page, 'Not now').click()
  await heading(page, 'Start').waitFor()
  await ageSessions(env, anHour)

  await giveRole(page)
  const dialog = dialogOf(page, 'Sign in again')
  const command = await dialog.getByRole('region', { name: 'Command' }).locator('pre').innerText()
  assert.match(command, /^npm run admin -- sign-in-link mara@command\.example --workspace wsp_\w+$/)
  assert.equal(await button(dialog, 'Sign in with a passkey').count(), 0, 'she has none')
  assert.doesNotMatch(await dialog.innerText(), /Another administrator/)
  if (isLong) await auditDialog(page)

  const tab = await page.context().newPage()
  await tab.goto(await runCommand(command))
  await tab.getByText('You are signed in to Command as Mara Lindqvist.').waitFor()
  if (isLong) await auditView({ page: tab, part: 'body', name: 'link' })
  await button(tab, 'Sign in').click()
  await heading(tab, 'Add a passkey').waitFor()
  await button(dialog, 'I have signed in again').click()
  await toast(page, 'Edda Holm is now Manager.').waitFor()
  assertNoErrors(session)
})
