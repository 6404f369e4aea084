import assert from 'node:assert/strict'

import { ProviderUser } from '@muster/testing/provider'

import { Browser, name as sessionName } from '#test/auth/browser'

/** The public origin of the service in these tests. A browser reaches it through a proxy. */
export const publicUrl = 'https://muster.example'

/** A redirect of the service, without the parts that differ in every response. */
export interface Redirect {
  readonly status: number
  readonly location: string
  readonly cookies: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

/** A browser that signs in with the identity provider of a workspace. */
export class ProviderBrowser {
  readonly #base: string
  readonly #workspaceId: string
  readonly #user: ProviderUser
  readonly #cookies = new Map<string, string>()

  constructor(base: string, workspaceId: string, account: string) {
    this.#base = base
    this.#workspaceId = workspaceId
    this.#user = new ProviderUser(account)
  }

  /** The cookies that the browser has. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies
  }

  /** A browser with the session of this one, that runs the console. */
  get console(): Browser {
    return new Browser(this.#base, `${sessionName}=${this.#cookies.get(sessionName)}`)
  }

  start(returnTo?: string): Promise<Redirect> {
    const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`
    return this.open(`${publicUrl}/sign-in/${this.#workspaceId}/oidc/start${query}`)
  }

  /** A step-up. `change` changes the authorization request. */
  async stepUp(change: (url: URL) => void = () => undefined): Promise<Redirect> {
    const path = `/sign-in/${this.#workspaceId}/oidc/start?return_to=/account&step_up=1`
    const url = new URL((await this.open(publicUrl + path)).location)
    change(url)
    return this.open((await this.continueAtProvider(url.href)).href)
  }

  /** Starts and signs in at the provider, but does not open the callback. */
  async signInAtProvider(change: (url: URL) => void = () => undefined): Promise<URL> {
    const { location } = await this.start()
    const url = new URL(location)
    change(url)
    return this.continueAtProvider(url.href)
  }

  /** Signs in at the provider, and returns the callback. */
  continueAtProvider(url: string): Promise<URL> {
    return this.#user.signIn(url)
  }

  /** The whole sign-in. `change` changes the callback. */
  async signIn(change: (url: URL) => void = () => undefined): Promise<Redirect> {
    const callback = await this.signInAtProvider()
    change(callback)
    return this.open(callback.href)
  }

  /** Opens an address of the service, at another process if `base` is given. */
  async open(href: string, base = this.#base): Promise<Redirect> {
    const { origin, pathname, search } = new URL(href)
    assert.equal(origin, publicUrl)
    const cookie = Array.from(this.#cookies, (pair) => pair.join('=')).join('; ')
    const response = await fetch(base + pathname + search, {
      headers: { cookie },
      redirect: 'manual',
    })
    const cookies = response.headers.getSetCookie()
    for (const each of cookies) this.#keep(each)
    const { location = '', ...headers } = headersOf(response)
    for (const name of ['request-id', 'traceparent', 'date']) delete headers[name]
    return { status: response.status, location, cookies, headers }
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

const headersOf = (response: Response): Record<string, string> =>
  Object.fromEntries(response.headers)
