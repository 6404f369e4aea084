import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  endOf,
  openProviderPage,
  type SignInEnd,
  signInAtProvider,
  startProviderEnvironment,
} from './support/provider-steps.ts'
import { deleteSessions } from './support/sign-in-steps.ts'
import { button, dialogClosed } from './support/steps.ts'

const place = await startProviderEnvironment()
const { base, workspaceId, accounts, send } = place
const refusedPath = `/sign-in/${workspaceId}?problem=sign_in_refused`
let people = 0

/** A person, and an account at the provider with the email of the person. */
async function newPerson(claims: object = {}) {
  people += 1
  const email = `person${people}@example.com`
  const person = { name: `Person ${people}`, email }
  const { id } = await send<{ id: string }>('POST', '/v1/personnel', person)
  return { id, email, account: newAccount({ email, ...claims }) }
}

function newAccount(claims: { email: string }): string {
  const subject = `subject-${accounts.size + 1}`
  accounts.set(subject, { email_verified: true, ...claims })
  return subject
}

/** What a browser shows after a refusal. It must be the same for every reason. */
const refusals: Pick<SignInEnd, 'path' | 'text' | 'cookies' | 'userId'>[] = []

async function assertRefused(end: Omit<SignInEnd, 'callback'>): Promise<void> {
  const { path, text, cookies, userId } = end
  refusals.push({ path, text, cookies, userId })
  assert.deepEqual([path, cookies, userId], [refusedPath, [], null])
}

test('signs in for the first time, and again after the email changed', async () => {
  const { id, account } = await newPerson()
  const first = await signInAtProvider(place, account)
  assert.deepEqual([first.path, first.userId], ['/people', id])
  assert.deepEqual(first.cookies, ['__Host-muster_session'])
  await send('PATCH', `/v1/personnel/${id}`, { email: `changed${id}@example.com` })
  const second = await signInAtProvider(place, account, { returnTo: '/risks' })
  assert.deepEqual([second.path, second.userId], ['/risks', id])
})

test('refuses a suspended person, and ends their session', async () => {
  const { id, account } = await newPerson()
  const page = await openProviderPage(place)
  await signInAtProvider(place, account, { page })
  await send('POST', `/v1/personnel/${id}/suspend`, {})
  await page.goto(`${base}/people`)
  assert.equal((await endOf(page)).userId, null)
  await assertRefused(await signInAtProvider(place, account))
})

test('refuses another subject with the address of a bound person', async () => {
  const { email, account } = await newPerson()
  await signInAtProvider(place, account)
  await assertRefused(await signInAtProvider(place, newAccount({ email })))
})

test('refuses an address that is not verified', async () => {
  const { account } = await newPerson({ email_verified: false })
  await assertRefused(await signInAtProvider(place, account))
})

test('refuses an account without a person', async () => {
  const unknown = newAccount({ email: 'unknown@example.com' })
  await assertRefused(await signInAtProvider(place, unknown))
})

/** Changes one parameter of a request of the browser. */
const change = (request: 'auth' | 'callback', name: string, value: string) => ({
  change: { [request]: (url: URL) => url.searchParams.set(name, value) },
})

test('signs in when the browser adds an unknown parameter', async () => {
  const { account } = await newPerson()
  for (const request of ['auth', 'callback'] as const) {
    const end = await signInAtProvider(place, account, change(request, 'unknown', 'x'))
    assert.equal(end.path, '/people', request)
  }
})

for (const [what, changed] of Object.entries({
  'another issuer': change('callback', 'iss', 'https://evil.example'),
  'another nonce': change('auth', 'nonce', 'other'),
  'another state in the request': change('auth', 'state', 'other'),
  'another state in the response': change('callback', 'state', 'other'),
  'another code challenge (PKCE)': change('auth', 'code_challenge', 'x'.repeat(43)),
  'another code': change('callback', 'code', 'other'),
})) {
  test(`refuses ${what}`, async () => {
    const { account } = await newPerson()
    await assertRefused(await signInAtProvider(place, account, changed))
    assert.equal((await signInAtProvider(place, account)).path, '/people')
  })
}

test('refuses a callback that was used, in the same browser and in another', async () => {
  const { account } = await newPerson()
  const page = await openProviderPage(place)
  const { callback } = await signInAtProvider(place, account, { page })
  const { callback: stolen } = await signInAtProvider(place, account)
  const other = await openProviderPage(place)
  for (const address of [callback, stolen]) {
    await other.goto(address)
    await assertRefused(await endOf(other))
  }
  await page.goto(callback)
  assert.equal((await endOf(page)).path, refusedPath)
})

test('returns only to this site', async () => {
  const { account } = await newPerson()
  for (const returnTo of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    const { path, userId } = await signInAtProvider(place, account, { returnTo })
    assert.doesNotMatch(path, /evil/)
    assert.ok(userId)
  }
})

test('all refusals look the same', () => {
  assert.equal(refusals.length, 12)
  for (const refusal of refusals) assert.deepEqual(refusal, refusals[0])
})

test('a typed text survives the sign-in at the provider', async () => {
  const { id, account } = await newPerson()
  const page = await openProviderPage(place)
  await signInAtProvider(place, account, { page })
  const { entries } = await send<{ entries: object[] }>('GET', '/v1/access')
  const ofOthers = entries.filter((entry) => !JSON.stringify(entry).includes(id))
  await send('PUT', '/v1/access', { entries: [...ofOthers, { role: 'manager', user_id: id }] })
  const { data } = await send<{ data: { id: string }[] }>('GET', '/v1/projects?q=DAM')
  const path = `/projects/${data[0]?.id}`
  await page.goto(base + path)
  await button(page, 'Report health').click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox').fill('The crest moves')
  await deleteSessions(place.env)
  await button(form, 'Report health').click()
  await page.getByRole('link', { name: 'Sign in with your organisation', exact: true }).click()
  // The provider knows the browser and asks nothing.
  await page.waitForURL(`${base}${path}`)
  await form.getByRole('textbox').waitFor()
  assert.equal(await form.getByRole('textbox').inputValue(), 'The crest moves')
  await button(form, 'Report health').click()
  await dialogClosed(page)
  const { health_note } = await send<{ health_note: string }>('GET', `/v1${path}`)
  assert.equal(health_note, 'The crest moves')
  assert.equal(await page.evaluate("sessionStorage.getItem('muster-draft')"), null)
})
