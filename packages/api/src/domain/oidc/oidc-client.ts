import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
} from 'openid-client'

import type { Egress } from '#egress/egress'

import { secondsSinceAuthentication } from './auth-time.ts'
import { OidcError, oidcErrorOf } from './oidc-error.ts'

/** On behalf of whom the service contacts an identity provider (OpenID Connect). */
export interface ProviderContact {
  readonly workspaceId: string
  /** Runs work that waits for the provider. The request holds no place meanwhile. */
  readonly releaseDuring: <T>(work: () => Promise<T>) => Promise<T>
}

/** The identity provider of a workspace. */
export interface OidcProvider extends ProviderContact {
  readonly issuer: string
}

/** The client of a workspace at its identity provider. */
export interface OidcSettings extends OidcProvider {
  readonly clientId: string
  readonly clientSecret: string
}

/** What must be kept between the start and the callback, out of reach of the browser. */
export interface OidcFlow {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** The account that signed in. Issuer and subject identify it for all time. */
export interface OidcAccount {
  readonly issuer: string
  readonly subject: string
  /** Seconds since the person authenticated at the provider; null if it does not say. */
  readonly secondsSinceAuthentication: number | null
  /** Reads the claims for the first sign-in, from the user info endpoint if necessary. */
  readonly profile: () => Promise<OidcProfile>
}

export interface OidcProfile {
  readonly email: string | null
  /** Whether the provider states that the address belongs to the account. */
  readonly isEmailVerified: boolean
  readonly externalId: string | null
}

const subjectLengthMax = 255
const totalMs = 7000

/** Metadata are kept, so that starts of sign-ins do not cause as many requests to the provider. */
const keptMs = 300_000
const keptMax = 1000

/**
 * OpenID Connect, authorization code flow with PKCE. The issuer is pinned: the metadata, the
 * response and the ID token must have exactly the configured one. All requests go through egress.
 */
export class OidcClient {
  readonly #egress: Egress
  readonly #kept = new Map<string, { metadata: ServerMetadata; until: number }>()

  constructor(egress: Egress) {
    this.#egress = egress
  }

  /** Reads the metadata of the provider and checks that a sign-in is possible. */
  async check(provider: OidcProvider): Promise<void> {
    this.#kept.delete(provider.issuer)
    await this.#discover(provider, this.#fetch(provider))
  }

  /** Reads the keys with which the provider signs ID tokens. */
  async checkKeys(provider: OidcProvider): Promise<void> {
    const { workspaceId, releaseDuring } = provider
    const { jwks_uri = '' } = await this.#discover(provider, this.#fetch(provider))
    try {
      const response = await releaseDuring(() => this.#egress(jwks_uri, { workspaceId }))
      const body: unknown = await response.json()
      if (response.status === 200 && hasKeys(body)) return
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw oidcErrorOf(error)
    }
    throw new OidcError('provider_misconfigured', `There are no signing keys at ${jwks_uri}.`)
  }

  /**
   * Whether the metadata state that ID tokens have `auth_time`, and that the provider asks a person
   * to sign in again. A provider may do both without stating it.
   */
  async statesStepUp(provider: OidcProvider): Promise<boolean> {
    const metadata = await this.#discover(provider, this.#fetch(provider))
    const prompts = metadata['prompt_values_supported']
    const hasLogin = !Array.isArray(prompts) || prompts.includes('login')
    return hasLogin && (metadata.claims_supported ?? []).includes('auth_time')
  }

  /**
   * Returns the URL for the browser, and the secrets of this sign-in. For a step-up the provider
   * must ask the person to authenticate, and state when they did.
   */
  async begin(settings: OidcSettings, redirectUri: string, isStepUp = false) {
    const config = await this.#configure(settings)
    const flow: OidcFlow = {
      state: randomState(),
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
    }
    const url = buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await calculatePKCECodeChallenge(flow.codeVerifier),
      code_challenge_method: 'S256',
      ...(isStepUp && { prompt: 'login', max_age: '0' }),
    })
    return { url: url.href, flow }
  }

  /**
   * Exchanges the code of the callback. Checks state, issuer, PKCE, nonce, audience, times and the
   * signature of the ID token.
   */
  async finish(settings: OidcSettings, callback: URL, flow: OidcFlow): Promise<OidcAccount> {
    const config = await this.#configure(settings)
    try {
      const tokens = await settings.releaseDuring(() =>
        authorizationCodeGrant(config, callback, {
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          pkceCodeVerifier: flow.codeVerifier,
          idTokenExpected: true,
        }),
      )
      const token = tokens.claims()
      if (token === undefined || !isSubject(token.sub)) {
        throw new OidcError('invalid_response', 'The ID token has no valid subject.')
      }
      const accessToken = tokens.access_token
      return {
        issuer: token.iss,
        subject: token.sub,
        secondsSinceAuthentication: secondsSinceAuthentication(token.auth_time, Date.now()),
        profile: () => readProfile(settings, { config, token, accessToken }),
      }
    } catch (error) {
      throw oidcErrorOf(error)
    }
  }

  async #configure(settings: OidcSettings): Promise<Configuration> {
    const { clientId, clientSecret } = settings
    const send = this.#fetch(settings)
    const metadata = await this.#discover(settings, send)
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic')
      ? ClientSecretBasic(clientSecret)
      : ClientSecretPost(clientSecret)
    const config = new Configuration(metadata, clientId, undefined, authenticate)
    config[customFetch] = send
    enableNonRepudiationChecks(config)
    return config
  }

  async #discover(provider: OidcProvider, send: CustomFetch): Promise<ServerMetadata> {
    const { issuer, releaseDuring } = provider
    const kept = this.#kept.get(issuer)
    if (kept && kept.until > Date.now()) return kept.metadata
    try {
      const options = { [customFetch]: send }
      const config = await releaseDuring(() =>
        discovery(new URL(issuer), 'discovery', undefined, None(), options),
      )
      const metadata = config.serverMetadata()
      assertUsable(metadata, issuer)
      if (this.#kept.size >= keptMax) this.#kept.clear()
      this.#kept.set(issuer, { metadata, until: Date.now() + keptMs })
      return metadata
    } catch (error) {
      throw oidcErrorOf(error)
    }
  }

  /** All requests of one step share one time limit. */
  #fetch({ workspaceId }: ProviderContact): CustomFetch {
    const deadline = AbortSignal.timeout(totalMs)
    return (url, { method, headers, body, signal }) =>
      this.#egress(url, {
        workspaceId,
        method,
        headers,
        // The cast holds because openid-client sends text or form parameters.
        body: body as string | URLSearchParams | null | undefined,
        signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      })
  }
}

/**
 * Refuses a provider whose metadata have another issuer. openid-client accepts some: the shared
 * endpoints of Microsoft Entra, at which accounts of every organisation sign in.
 */
function assertUsable(metadata: ServerMetadata, issuer: string): void {
  const problem = (message: string) => new OidcError('provider_misconfigured', message)
  if (metadata.issuer !== issuer) {
    throw problem('The metadata of the provider have another issuer than the one configured.')
  }
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
  for (const name of needed) {
    if (URL.parse(metadata[name] ?? '')?.protocol !== 'https:') {
      throw problem(`The metadata of the provider have no ${name} with https.`)
    }
  }
  const challenges = metadata.code_challenge_methods_supported
  if (challenges && !challenges.includes('S256')) throw problem('The provider has no PKCE (S256).')
}

const hasKeys = (body: unknown) =>
  typeof body === 'object' &&
  body !== null &&
  'keys' in body &&
  Array.isArray(body.keys) &&
  body.keys.length > 0

const isSubject = (subject: string) => subject.length > 0 && subject.length <= subjectLengthMax

interface SignedIn {
  readonly config: Configuration
  readonly token: IDToken
  readonly accessToken: string
}

/** Providers put the claims into the ID token or return them at the user info endpoint. */
async function readProfile(
  { releaseDuring }: ProviderContact,
  { config, token, accessToken }: SignedIn,
): Promise<OidcProfile> {
  const hasEndpoint = config.serverMetadata().userinfo_endpoint !== undefined
  if (token['email'] !== undefined || !hasEndpoint) return profileOf(token)
  try {
    return profileOf(await releaseDuring(() => fetchUserInfo(config, accessToken, token.sub)))
  } catch (error) {
    throw oidcErrorOf(error)
  }
}

const profileOf = (claims: Readonly<Record<string, unknown>>): OidcProfile => ({
  email: textOf(claims['email']),
  isEmailVerified: claims['email_verified'] === true,
  externalId: textOf(claims['external_id']),
})

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
