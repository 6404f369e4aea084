import { once } from 'node:events'
import { createServer } from 'node:https'

import { Provider } from 'oidc-provider'

import { atEnd } from './at-end.ts'
import type { Certificate } from './certificate.ts'
import { freePort } from './free-port.ts'

/** The claims of an account at the provider. The name of the account is its subject. */
export interface ProviderAccount {
  readonly email: string
  readonly email_verified: boolean
  readonly external_id?: string
}

interface ProviderOptions {
  readonly certificate: Certificate
  readonly redirectUris: readonly string[]
  readonly accounts: ReadonlyMap<string, ProviderAccount>
  /** Claims in the ID token, as many providers do; otherwise at the user info endpoint. */
  readonly isInIdToken?: boolean
  /** Replaces responses of the provider, by path. A promise delays the response. */
  readonly replaced?: Readonly<Record<string, (issuer: string) => unknown>>
}

export const providerClient = { clientId: 'muster', clientSecret: 'secret-of-the-client' }

/** A real OpenID Connect provider on loopback, with TLS and its own sign-in page. */
export async function startProvider(options: ProviderOptions): Promise<string> {
  const { certificate, redirectUris, accounts, isInIdToken = false, replaced = {} } = options
  const port = await freePort()
  const issuer = `https://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: providerClient.clientId,
        client_secret: providerClient.clientSecret,
        redirect_uris: redirectUris,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['external_id'] },
    conformIdTokenClaims: !isInIdToken,
    cookies: { keys: ['key-of-the-cookies'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
  })
  const answer = provider.callback()
  const server = createServer(certificate, (request, response) => {
    const replacement = replaced[request.url ?? '']
    if (replacement === undefined) {
      answer(request, response)
      return
    }
    response.setHeader('content-type', 'application/json')
    void Promise.resolve(replacement(issuer)).then((body) => response.end(JSON.stringify(body)))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return issuer
}

/** A user of the provider who signs in with its pages, without a browser. */
export class ProviderUser {
  readonly #cookies = new Map<string, string>()
  readonly #account: string

  constructor(account: string) {
    this.#account = account
  }

  /** Signs in and consents. Returns the URL of the callback, with the code. */
  async signIn(authorizationUrl: string): Promise<URL> {
    const { origin } = new URL(authorizationUrl)
    let next = await this.#open(authorizationUrl)
    for (let step = 0; step < 10; step++) {
      if (next.origin !== origin) return next
      next = await this.#open(next.href)
    }
    throw new Error(`No callback after ten steps, at ${next.href}`)
  }

  /** Opens a page, submits its form if there is one, and returns where it leads. */
  async #open(url: string): Promise<URL> {
    const response = await this.#send(url)
    const location = response.headers.get('location')
    if (location !== null) return new URL(location, url)
    const page = await response.text()
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (action === undefined || prompt === undefined) throw new Error(page)
    const body = new URLSearchParams({ prompt, login: this.#account, password: 'x' })
    const submitted = await this.#send(action, body)
    return new URL(submitted.headers.get('location') ?? '', url)
  }

  async #send(url: string, body?: URLSearchParams): Promise<Response> {
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie }
    const response = await fetch(url, {
      headers,
      redirect: 'manual',
      ...(body && { method: 'POST', body }),
    })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }
}
