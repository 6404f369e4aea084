import assert from 'node:assert/strict'

import { createCertificate } from '@muster/testing/certificate'
import { providerClient, type ProviderAccount, startProvider } from '@muster/testing/provider'
import type { Page } from 'playwright-core'

import { type Environment, openPage, startProcessEnvironment } from './environment.ts'

/** A service with an identity provider. Both are on loopback, at different sites. */
export interface ProviderEnvironment {
  readonly env: Environment
  /** The public origin of the service. */
  readonly base: string
  readonly workspaceId: string
  /** The accounts at the provider, by subject. */
  readonly accounts: Map<string, ProviderAccount>
  /** Sends a request with a key that has every scope. */
  readonly send: Send
}

/** Returns the response body, whose shape the caller knows. */
type Send = <T = unknown>(method: string, path: string, body?: object) => Promise<T>

/** The service ends when one of its sockets leaves loopback. */
const guard = new URL('../../packages/api/test/support/loopback-process.ts', import.meta.url).href

export async function startProviderEnvironment(): Promise<ProviderEnvironment> {
  const certificate = createCertificate('IP:127.0.0.1')
  const env = await startProcessEnvironment({
    EGRESS_ALLOW: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: certificate.certFile,
    NODE_OPTIONS: `--import=${guard}`,
  })
  const send = sender(env)
  const { redirect_uri } = await send<{ redirect_uri: string }>('GET', '/v1/workspace/sign-in')
  const accounts = new Map<string, ProviderAccount>()
  const issuer = await startProvider({ certificate, redirectUris: [redirect_uri], accounts })
  await send('PUT', '/v1/workspace/sign-in', {
    issuer,
    client_id: providerClient.clientId,
    client_secret: providerClient.clientSecret,
    match: 'email',
    allowed_domains: [],
    first_sign_in: 'reader',
  })
  const { publicUrl: base, workspaceId } = env
  return { env, base, workspaceId, accounts, send }
}

const sender =
  (env: Environment): Send =>
  async (method, path, body) => {
    const response = await fetch(env.base + path, {
      method,
      headers: {
        authorization: `Bearer ${env.keys.manager}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, text)
    return JSON.parse(text)
  }

/** How a sign-in ended. */
export interface SignInEnd {
  /** The address of the page, without the origin. */
  readonly path: string
  readonly text: string
  readonly cookies: readonly string[]
  /** The callback that the provider sent the browser to. */
  readonly callback: string
  /** The person who is signed in; null for none. */
  readonly userId: string | null
}

/** Changes the address of a request that the browser sends. */
type Change = Readonly<Record<'auth' | 'callback', (url: URL) => void>>

interface SignInSteps {
  readonly returnTo?: string
  readonly change?: Partial<Change>
  readonly page?: Page
}

/** Signs in at the provider's own page, in a new browser context. */
export async function signInAtProvider(
  place: ProviderEnvironment,
  account: string,
  { returnTo = '/people', change = {}, page: given }: SignInSteps = {},
): Promise<SignInEnd> {
  const { base, workspaceId } = place
  const page = given ?? (await openProviderPage(place))
  let callback = ''
  page.on('request', (request) => {
    if (request.url().includes('/oidc/callback?')) callback = request.url()
  })
  if (change.auth) await changeStart(page, change.auth)
  if (change.callback) await changeCallback(page, change.callback)
  const start = `${base}/sign-in/${workspaceId}/oidc/start`
  await page.goto(`${start}?return_to=${encodeURIComponent(returnTo)}`)
  await page.getByPlaceholder('Enter any login').fill(account)
  await page.getByPlaceholder('and password').fill('password')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  const consent = page.getByRole('button', { name: 'Continue' })
  await consent.click()
  await page.waitForURL(`${base}/**`)
  return { ...(await endOf(page)), callback }
}

/**
 * A page in a browser that accepts the certificate of the provider. Every response must come from
 * loopback: the page of the provider names a font of another host, which the browser cannot reach.
 */
export async function openProviderPage({ env, base }: ProviderEnvironment): Promise<Page> {
  const { page } = await openPage({ ...env, base }, { ignoreHTTPSErrors: true })
  page.on('response', (response) => {
    assert.match(new URL(response.url()).hostname, /^(localhost|127\.0\.0\.1)$/)
  })
  return page
}

/** Reads what the browser shows and has. */
export async function endOf(page: Page): Promise<Omit<SignInEnd, 'callback'>> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const { pathname, search } = new URL(page.url())
  // The sign-in page shows its methods when it has read them.
  if (search.includes('problem=')) await page.getByText('Sign in with your organisation').waitFor()
  const cookies = (await page.context().cookies(page.url())).map(({ name }) => name)
  const whoami = `fetch('/v1/whoami', { headers: { 'muster-console': '1' } })
    .then((response) => response.json())
    .then(({ person }) => person?.user_id ?? null)`
  return {
    path: pathname + search,
    text: await page.locator('body').innerText(),
    cookies: cookies.filter((name) => name.startsWith('__Host-')),
    userId: await page.evaluate<string | null>(whoami),
  }
}

/** Changes where the start sends the browser. */
async function changeStart(page: Page, change: (url: URL) => void): Promise<void> {
  await page.route('**/oidc/start?*', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    const url = new URL(response.headers()['location'] ?? '')
    change(url)
    await route.fulfill({ response, headers: { ...response.headers(), location: url.href } })
  })
}

/** Changes the callback. Only the protocol of the browser shows requests after a redirect. */
async function changeCallback(page: Page, change: (url: URL) => void): Promise<void> {
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const url = new URL(request.url)
    change(url)
    void session.send('Fetch.continueRequest', { requestId, url: url.href })
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/oidc/callback?*' }] })
}
