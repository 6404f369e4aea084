import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'

import { assertNoIds, auditView } from './support/audit.ts'
import { assertNoErrors, signIn, startEnvironment, waitUntilLoaded } from './support/environment.ts'
import { chooseFile } from './support/import-steps.ts'
import { isPictured, pictureTime } from './support/screenshots.ts'
import {
  addAuthenticator,
  ageSessions,
  bindAccount,
  deleteSessions,
  signInSteps,
} from './support/sign-in-steps.ts'
import { button, dialogClosed } from './support/steps.ts'

const env = await startEnvironment(pictureTime)
const { manager } = env.keys
const { api, addPerson, asPerson } = signInSteps(env)

/** The first record of a list. */
async function first<T>(list: Promise<{ readonly data: readonly T[] }>): Promise<T> {
  const [record] = (await list).data
  assert(record)
  return record
}

const risk = await first(api.risks.list({ query: { q: 'Scour' } }))
const closedRisk = await first(api.risks.list_closed())
const issue = await first(api.issues.list({ query: { status: ['open'] } }))
const closedIssue = await first(api.issues.list_closed())
const task = await first(api.tasks.list())
const archived = await first(api.projects.list({ query: { status: ['archived'] } }))
const suspended = await first(api.personnel.list({ query: { status: ['suspended'] } }))
const departed = await first(api.personnel.list({ query: { status: ['departed'] } }))
const key = await first(api.keys.list())
const group = await first(api.groups.list())
const admin = await addPerson('Grace Hopper', 'admin')
const bound = await addPerson('Eve Stranger', 'reader')
await bindAccount(env, 'Eve Stranger')

const at = {
  risk: `/projects/${risk.project_id}/risks/${risk.id}`,
  closedRisk: `/projects/${closedRisk.project_id}/risks/${closedRisk.id}`,
  issue: `/projects/${issue.project_id}/issues/${issue.id}`,
  closedIssue: `/projects/${closedIssue.project_id}/issues/${closedIssue.id}`,
  task: `/projects/${task.project_id}/tasks/${task.id}`,
  project: `/projects/${risk.project_id}`,
  archived: `/projects/${archived.id}`,
  person: `/people/${risk.owner_user_id}`,
  suspended: `/people/${suspended.id}`,
  departed: `/people/${departed.id}`,
  key: `/keys/${key.id}`,
  group: `/groups/${group.id}`,
  bound: `/people/${bound.id}`,
}

type Step = string | ((page: Page) => Promise<void>)

const menu: Step = (page) =>
  page
    .locator('#content')
    .getByRole('button', { name: /^More actions: / })
    .first()
    .click()
const select: Step = async (page) => {
  await page.locator('[data-row]').first().focus()
  await page.keyboard.press('x')
}
const hover: Step = (page) => page.locator('[data-row]').first().hover()
const press = (keys: string) => (page: Page) => page.keyboard.press(keys)
const resize = (width: number) => (page: Page) => page.setViewportSize({ width, height: 900 })

/** Presses the button, link or entry of a menu with this name, or with “…” after it. */
async function choose(page: Page, name: string): Promise<void> {
  const exact = new RegExp(`^${name}(?: …)?$`)
  const [pressable, link, entry] = (['button', 'link', 'menuitem'] as const).map((role) =>
    page.getByRole(role, { name: exact }),
  )
  assert(pressable && link && entry)
  await pressable.or(link).or(entry).first().click()
}

/** The address of a page, and what opens a dialog there. */
type Opening = readonly [path: string, ...steps: Step[]]

const fields = (values: Readonly<Record<string, string>>) => async (page: Page) => {
  for (const [label, value] of Object.entries(values)) {
    await page.getByRole('dialog').getByLabel(label).first().fill(value)
  }
}
const mayRead: Step = (page) =>
  page
    .getByRole('dialog')
    .getByRole('radiogroup', { name: 'People' })
    .getByRole('radio', { name: 'Read' })
    .check()
const submit = (name: string) => (page: Page) => button(page.getByRole('dialog'), name).click()

const newKey: readonly Step[] = [fields({ Name: 'Backup' }), mayRead, submit('Create key')]

const provider: readonly Step[] = [
  'Set identity provider',
  fields({
    Issuer: 'https://127.0.0.1:9/id',
    'Client ID': 'muster',
    'Client secret': 'not-a-real-secret',
  }),
  submit('Save'),
  submit('Save anyway'),
  dialogClosed,
]

/** Saves an edit of the risk after someone else changed it. */
const conflict: readonly Step[] = [
  fields({ Title: 'Scour below the toe' }),
  async () => {
    const params = { project_id: risk.project_id, risk_id: risk.id }
    await api.risks.update({ params, body: { title: 'Scour at the toe' } })
  },
  submit('Save'),
]

/** Hands over the first item of the person. */
const handOver: readonly Step[] = [
  menu,
  'Hand over',
  async (page) => {
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('button', { name: /^New owner of / })
      .first()
      .click()
    await dialog.getByRole('combobox', { name: /^New owner of / }).fill('Grace Hopper')
    await page.getByRole('option', { name: 'Grace Hopper' }).click()
  },
  submit('Hand over 1 item'),
]

/** Leaves the page while the import waits for the service. */
const leaveImport: Step = async (page) => {
  await chooseFile(page, 'name\nAda\n')
  await page.route('**/personnel/batch', () => {})
  await button(page, 'Import 1 row').click()
  await page.getByRole('link', { name: 'Groups' }).click()
}

/** By the file of the console that contains them. */
const dialogs: Readonly<Record<string, readonly Opening[]>> = {
  'nouns/risks/accept-dialog': [[at.risk, menu, 'Accept']],
  'nouns/risks/edit-dialog': [[at.risk, menu, 'Edit']],
  'nouns/risks/new-risk-dialog': [['/risks', 'New risk']],
  'nouns/risks/review-dialog': [[at.risk, 'Review']],
  'nouns/risks/verb-dialogs': [
    ['/risks', select, 'Assign'],
    [at.risk, menu, 'Close'],
    [at.risk, menu, 'Mark as occurred'],
    [at.closedRisk, 'Reopen'],
  ],
  'nouns/issues/issue-form': [
    ['/issues', 'New issue'],
    [at.issue, menu, 'Edit'],
  ],
  'nouns/issues/verb-dialogs': [
    ['/issues', hover, 'Assign'],
    [at.issue, menu, 'Mark as blocked'],
    [at.issue, 'Close issue'],
    [at.closedIssue, 'Reopen issue'],
    ['/issues', select, 'Assign …'],
    ['/issues', select, 'Close …'],
  ],
  'nouns/tasks/add-task-dialog': [[at.risk, 'Add task']],
  'nouns/tasks/task-form': [
    ['/tasks', 'New task'],
    [at.task, menu, 'Edit'],
  ],
  'nouns/tasks/tasks-page': [['/tasks', select, 'Assign …']],
  'nouns/projects/archive-dialogs': [
    [at.project, menu, 'Archive'],
    [at.archived, 'Restore'],
  ],
  'nouns/projects/health-dialog': [[at.project, 'Report health']],
  'nouns/projects/project-form': [
    ['/projects', 'New project'],
    [at.project, menu, 'Edit'],
  ],
  'nouns/people/depart-dialog': [[at.person, menu, 'Offboard']],
  'nouns/people/person-form': [
    ['/people', 'Add person'],
    [at.person, menu, 'Edit'],
  ],
  'nouns/people/reassign-dialog': [[at.person, menu, 'Hand over']],
  'nouns/people/receipt-dialog': [[at.person, ...handOver]],
  'nouns/people/status-dialogs': [
    [at.person, menu, 'Suspend'],
    [at.suspended, 'Resume'],
    [at.departed, 'Rejoin'],
    [at.departed, menu, 'Erase'],
  ],
  'nouns/groups/group-form': [
    [at.group, 'Add people'],
    [at.group, menu, 'Edit'],
    ['/groups', 'New group'],
  ],
  'nouns/keys/key-form': [
    ['/keys', 'New key'],
    [at.key, menu, 'Edit'],
  ],
  'nouns/keys/verb-dialogs': [
    [at.key, menu, 'Revoke'],
    [at.key, 'Renew'],
  ],
  'nouns/keys/secret-dialog': [['/keys', 'New key', ...newKey]],
  'pages/workspace/edit-workspace-dialog': [['/workspace', 'Edit']],
  'pages/workspace/provider-dialogs': [
    ['/workspace/sign-in', 'Set identity provider'],
    ['/workspace/sign-in', ...provider, 'Remove'],
  ],
  'pages/access/person-dialogs': [
    [at.person, 'Allow sign-in after changed email'],
    [at.bound, 'Remove the account'],
    [at.person, 'End sessions'],
  ],
  'pages/access/entry-dialogs': [
    ['/access', 'Add access'],
    ['/access', 'Change role: .*'],
    ['/access', menu, 'Remove'],
  ],
  'pages/access/link-dialog': [
    [at.person, 'Sign-in link'],
    [at.person, 'Sign-in link', submit('Create link')],
  ],
  'pages/account/passkey-dialogs': [
    ['/account', 'Create a passkey'],
    [
      '/account',
      addAuthenticator,
      'Create a passkey',
      submit('Create'),
      dialogClosed,
      'Rename Chrome on Linux',
    ],
    ['/account', 'Remove Chrome on Linux'],
  ],
  'pages/account/personal-key-dialogs': [
    ['/account', 'New personal key', ...newKey, 'I have saved the key', 'Revoke Backup'],
  ],
  'pages/import/leave-guard': [['/import', leaveImport]],
  'frame/command-palette': [['/risks', press('Control+k')]],
  'frame/conflict-dialog': [[at.risk, menu, 'Edit', ...conflict]],
  'frame/keyboard-help': [['/risks', press('?')]],
  'kit/list/rail-drawer': [['/risks', resize(768), press(']')]],
  'frame/more-sheet': [['/risks', resize(375), 'More']],
  'kit/record/link-dialog': [[at.risk, 'Add link']],
  // The second ends the session that all other dialogs use.
  'pages/sign-in/sign-in-again-dialog': [
    ['/keys', () => ageSessions(env), 'New key', ...newKey],
    [
      '/keys',
      'New key',
      fields({ Name: 'Backup' }),
      mayRead,
      () => deleteSessions(env),
      submit('Create key'),
    ],
  ],
}

const source = fileURLToPath(new URL('../packages/console/src/', import.meta.url))

/** Files whose dialogs are parts of others. */
const parts = [
  'kit/form/form-dialog',
  'kit/fields/action-dialog',
  'kit/form/note-dialog',
  'kit/form/shown-once-dialog',
  'kit/list/bulk-assign-dialog',
]

test('covers every dialog of the console', () => {
  const files = globSync('**/*.tsx', { cwd: source }).filter((file) =>
    /<(?:(?:Form|Action|Note|BulkAssign|ShownOnce)Dialog|Modal|Drawer|Spotlight)\b/.test(
      readFileSync(source + file, 'utf8'),
    ),
  )
  const names = files.map((file) => file.replaceAll('\\', '/').replace('.tsx', ''))
  assert.deepEqual(names.toSorted(), [...Object.keys(dialogs), ...parts].toSorted())
})

/** Dialogs that only narrow windows have, with their widths. */
const narrow: Readonly<Record<string, readonly number[]>> = {
  'kit-list-rail-drawer': [768, 375],
  'frame-more-sheet': [375],
}

const openings = Object.entries(dialogs).flatMap(([file, all]) =>
  all.map((opening, index) => {
    const name = file.replaceAll('/', '-')
    return { name: all.length > 1 ? `${name}-${index + 1}` : name, opening }
  }),
)

/** About 10 minutes. */
const skip =
  !isPictured && 'runs only with --long or --screenshots: npm run e2e -- --long every-dialog'

for (const { name, opening } of openings) {
  test(
    `${name} passes axe in both themes, fits every width and shows no id`,
    { skip },
    async () => {
      const [path, ...steps] = opening
      // Some changes need a sign-in of the last 10 minutes, and all dialogs take longer.
      await ageSessions(env, 0)
      const isOfPerson = path === '/account'
      const session = await (isOfPerson ? asPerson(admin.id, path) : signIn(env, manager, { path }))
      const { page } = session
      await waitUntilLoaded(page)
      for (const step of steps) await (typeof step === 'string' ? choose(page, step) : step(page))
      await page.getByRole('dialog').first().waitFor()
      await assertNoIds(page)
      const widths = narrow[name]
      await auditView({ page, part: '[role=dialog]', name, ...(widths && { widths }) })
      assertNoErrors(session)
    },
  )
}
