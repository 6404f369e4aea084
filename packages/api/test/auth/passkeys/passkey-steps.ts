import assert from 'node:assert/strict'

import { Browser } from '#test/auth/browser'
import { addPerson, signInByLink } from '#test/auth/people'
import type { Client } from '#test/support/client'

import { SoftAuthenticator } from './authenticator.ts'

export const cookieName = '__Host-muster_passkey'

/** The cookie of a challenge in a response. */
export const challengeOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith(`${cookieName}=`))
    ?.split(';')[0] ?? ''

export const withCookies = (base: string, ...cookies: string[]) =>
  new Browser(base, cookies.filter(Boolean).join('; '))

/** Begins a registration and returns the browser that can finish it. */
export async function beginRegistration(browser: Browser) {
  const begun = await browser.post('/account/passkeys/options', {})
  assert.equal(begun.status, 200, begun.text)
  const finisher = withCookies(browser.base, browser.cookie, challengeOf(begun))
  return { options: begun.body, finisher }
}

export async function register(browser: Browser, name = 'Work laptop') {
  const authenticator = new SoftAuthenticator()
  const { options, finisher } = await beginRegistration(browser)
  const response = authenticator.register(options)
  const made = await finisher.post('/account/passkeys', { name, response })
  assert.equal(made.status, 201, made.text)
  return { authenticator, passkey: made.body }
}

/** A person who is signed in, with a passkey. */
export async function personWithPasskey(manager: Client) {
  const userId = await addPerson(manager, { role: 'reader' })
  const browser = await signInByLink(manager, userId)
  return { userId, browser, ...(await register(browser)) }
}
