import assert from 'node:assert/strict'
import { test } from 'node:test'

import { arrowTo, focusAt } from './keyboard.ts'
import { assertQuiet, signedIn, startWorld, visit } from './world.ts'

const world = await startWorld()
const { manager, reader, nobody } = world.keys

test('whoever is not signed in is asked for a key, and comes to where they wanted to go', async () => {
  const seen = await visit(world)
  const { page } = seen
  await page.goto(`${world.base}/people`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.getByLabel('API key').fill(manager)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/people')
  const [cookie, ...others] = await page.context().cookies()
  assert.ok(cookie?.httpOnly && cookie.secure && others.length === 0)
  assert.ok(!cookie.value.includes('muster_key_'))
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
  assert.ok(!String(kept).includes('muster_key_'), 'the key is kept nowhere')
  assertQuiet(seen)
})

test('a wrong key is told, with advice and the id of the request', async () => {
  const seen = await visit(world)
  const { page } = seen
  await page.goto(`${world.base}/sign-in`)
  await page.getByLabel('API key').fill('muster_key_of_my_own')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const alert = page.getByRole('alert')
  await alert.getByRole('link', { name: 'What this means and how to fix it' }).waitFor()
  assert.match(await alert.innerText(), /req_/)
  assertQuiet(seen)
})

test('whoever signs out is out, also of the other window', async () => {
  const seen = await signedIn(world, reader, { isFresh: true })
  const other = await seen.page.context().newPage()
  await other.goto(`${world.base}/issues`)
  await other.getByRole('heading', { name: 'Issues', level: 1 }).waitFor()
  await seen.page.getByRole('button', { name: 'Sign out' }).click()
  await seen.page.getByRole('button', { name: 'Sign in' }).waitFor()
  await other.reload()
  await other.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('what a key may not do is shown with the reason, not hidden', async () => {
  const seen = await signedIn(world, reader)
  const add = seen.page.getByRole('button', { name: 'New risk' })
  assert.equal(await add.getAttribute('aria-disabled'), 'true')
  await add.hover()
  await seen.page.getByRole('tooltip').getByText('projects.manage').waitFor()
  assertQuiet(seen)
})

test('a key without scopes is told which it would need', async () => {
  const seen = await signedIn(world, nobody)
  await seen.page.getByText('This needs projects.read').first().waitFor()
  assertQuiet(seen)
})

test('the palette goes to a page, and finds a risk and a person, by keyboard alone', async () => {
  const seen = await signedIn(world, manager)
  const { page } = seen
  const search = async (text: string) => {
    await page.keyboard.press('Control+k')
    await focusAt(page.getByRole('dialog').getByRole('textbox', { name: 'Search' }))
    await page.keyboard.type(text)
  }
  const choose = async (name: RegExp) => {
    await arrowTo(page.getByRole('dialog').getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  await search('grou')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
  await search('TUN-R1')
  await choose(/^TUN-R1 /)
  await page.getByRole('heading', { name: /Water under pressure/, level: 1 }).waitFor()
  await search('Briain')
  await choose(/Séamus Ó Briain/)
  await page.getByRole('heading', { name: 'Séamus Ó Briain', level: 1 }).waitFor()
  assertQuiet(seen)
})

test('light and dark are chosen, and kept', async () => {
  const seen = await signedIn(world, reader, { colorScheme: 'light' })
  const { page } = seen
  await page.getByRole('button', { name: 'Dark colours' }).click()
  await page.getByRole('button', { name: 'Light colours' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Light colours' }).waitFor()
  assertQuiet(seen)
})

test('an address that leads nowhere says so, and a thing that is not there too', async () => {
  const seen = await signedIn(world, reader)
  const { page } = seen
  await page.goto(`${world.base}/risks/nowhere`)
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  await page.goto(`${world.base}/people/usr_01aaaaaaaaaaaaaaaaaaaaaaaa`)
  await page.getByRole('alert').waitFor()
})
