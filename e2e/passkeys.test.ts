import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, openPage, startEnvironment } from './support/environment.ts'

const env = await startEnvironment()
const api = apiOf(env, env.keys.manager)
const signInPath = `/sign-in/${env.workspaceId}`

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Sends a request from the page, as the console does. */
const post = (page: Page, path: string, body: unknown): Promise<Answer> =>
  page.evaluate(`fetch(${JSON.stringify(path)}, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'muster-console': '1' },
    body: ${JSON.stringify(JSON.stringify(body))},
  }).then(async (reply) => ({ status: reply.status, body: await reply.json() }))`)

/** The answer of the authenticator to options of the service. */
const answer = (page: Page, call: 'create' | 'get', options: unknown): Promise<unknown> => {
  const parse = call === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
  const publicKey = `PublicKeyCredential.${parse}(${JSON.stringify(options)})`
  return page.evaluate(`navigator.credentials.${call}({ publicKey: ${publicKey} })
    .then((credential) => credential.toJSON())`)
}

/** A page of the service without the console, in a browser with an authenticator. */
async function openPlainPage(origin = env.publicUrl) {
  const { page } = await openPage(env, { bypassCSP: true })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${origin}/about`)
  const setVerified = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { page, setVerified }
}

/** Signs a new person in with a link and registers a passkey. */
async function registerPasskey(page: Page): Promise<string> {
  const { id } = await api.personnel.create({ body: { name: 'Pia Keys' } })
  const link = await api.links.create({ params: { user_id: id }, body: { purpose: 'sign_in' } })
  const { hash } = new URL(link.url)
  const signedIn = await post(page, `${signInPath}/link`, { token: hash.slice(1) })
  assert.equal(signedIn.status, 201)
  const options = await post(page, '/account/passkeys/options', {})
  const response = await answer(page, 'create', options.body)
  const made = await post(page, '/account/passkeys', { name: 'Chromium', response })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return id
}

test('Chromium registers a passkey, and each of its answers signs in once', async () => {
  const { page } = await openPlainPage()
  await registerPasskey(page)
  for (let round = 0; round < 2; round++) {
    const options = await post(page, `${signInPath}/passkey/options`, {})
    const response = await answer(page, 'get', options.body)
    assert.equal((await post(page, `${signInPath}/passkey`, { response })).status, 201)
    const again = await post(page, `${signInPath}/passkey`, { response })
    assert.deepEqual([again.status, again.body['code']], [401, 'sign_in_refused'])
  }
})

test('Chromium does not store a second passkey of a person on one device', async () => {
  const { page } = await openPlainPage()
  await registerPasskey(page)
  const options = await post(page, '/account/passkeys/options', {})
  await assert.rejects(answer(page, 'create', options.body), /InvalidStateError/)
})

test('an answer without user verification does not sign in', async () => {
  const { page, setVerified } = await openPlainPage()
  await registerPasskey(page)
  await setVerified(false)
  const { body } = await post(page, `${signInPath}/passkey/options`, {})
  await assert.rejects(answer(page, 'get', body), /NotAllowedError/)
  const unverified = { ...body, userVerification: 'discouraged' }
  const response = await answer(page, 'get', unverified)
  const refused = await post(page, `${signInPath}/passkey`, { response })
  assert.deepEqual([refused.status, refused.body['code']], [401, 'sign_in_refused'])
})

test('a page at another address of the service cannot ask for a passkey', async () => {
  const { page } = await openPlainPage(env.base)
  const { body } = await post(page, `${signInPath}/passkey/options`, {})
  await assert.rejects(answer(page, 'get', body), /SecurityError/)
})
