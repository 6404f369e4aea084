import { limits } from '@muster/contract'

import { flowHashOf, flowsMax, isFlowToken, issueFlowToken } from '#domain/auth/flow-token'
import { failedSignIn, type RefusalLog } from '#domain/auth/refusal-log'
import type { SessionManager } from '#domain/auth/sessions'
import { isMethodAllowed } from '#domain/auth/sign-in-methods'
import type { IdentityProviders, Origin } from '#domain/engine/caller'
import { Failure } from '#domain/engine/failure'
import { clockToleranceSeconds } from '#domain/oidc/auth-time'
import type { OidcAccount, OidcFlow, OidcProfile, ProviderContact } from '#domain/oidc/oidc-client'
import { clientSecretOf } from '#domain/oidc/secrets'
import { redirectUri } from '#domain/oidc/sign-in-urls'
import { asciiLowerCase } from '#domain/rules/ascii'
import { returnPath } from '#domain/rules/return-path'
import { updateIdentityUse } from '#storage/nouns/person-sign-in'
import { selectBoundPerson, selectProvider, type StoredProvider } from '#storage/nouns/sign-in'
import { deleteOldFlows, insertFlow, takeFlow } from '#storage/nouns/sign-in-flows'
import type { Database } from '#storage/transaction/database'

import { bindAccount } from './bind-account.ts'
import { Refusal, refusalOf, type StepUpReason } from './refusal.ts'

interface ProviderSignInOptions extends Pick<IdentityProviders, 'oidc' | 'secrets'> {
  readonly database: Database
  readonly sessions: SessionManager
  readonly publicUrl: string
  readonly refusals: RefusalLog
}

/** The row of a sign-in that has begun. */
interface StoredFlow extends OidcFlow {
  /** The provider at the start. Another one must not receive the code. */
  readonly issuer: string
  readonly clientId: string
  readonly returnTo: string
  /** When a step-up started, in milliseconds; null for any other sign-in. */
  readonly stepUpAt?: number | null
}

const method = 'oidc'

/** How long a person has for signing in at the provider. */
export const flowMinutes = 10

interface Start extends ProviderContact {
  readonly returnTo: string | null
  /** Whether the person must authenticate again at the provider. */
  readonly isStepUp: boolean
  readonly origin: Origin
}

interface Callback extends ProviderContact {
  /** The secret of the flow, from its cookie. */
  readonly token: string | null
  /** The query that the provider sent. */
  readonly query: string
  readonly origin: Origin
}

/**
 * Sign-in of people with the identity provider of their workspace. Every refusal of an account
 * looks alike: it reveals neither its reason nor whether a person exists. The audit log has the
 * reason.
 */
export class ProviderSignIn {
  readonly #options: ProviderSignInOptions

  constructor(options: ProviderSignInOptions) {
    this.#options = options
  }

  /** Returns the URL of the provider and the secret of the flow; null if refused. */
  start(request: Start) {
    return this.#orRefusal(request, () => this.#start(request))
  }

  /**
   * Starts a session for the person of the account; null if refused. A cookie that no start can
   * have set is refused without a statement, so the audit log has no entry of it. A step-up without
   * a recent authentication has its own result: it depends on the provider, not on the person.
   */
  async finish(request: Callback) {
    if (request.token !== null && !isFlowToken(request.token)) return null
    return this.#orRefusal(request, async () => {
      const finished = await this.#finish(request)
      if (!('notRecent' in finished)) return finished
      const { workspaceId, origin } = request
      const reason = finished.notRecent
      this.#options.refusals.record(failedSignIn({ workspaceId, reason, origin }))
      return finished
    })
  }

  async #orRefusal<T>(
    { workspaceId, origin }: Pick<Start, 'workspaceId' | 'origin'>,
    work: () => Promise<T>,
  ): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === null) throw error
      const { reason, userId } = refusal
      this.#options.refusals.record(failedSignIn({ workspaceId, reason, userId, origin }))
      if (reason === 'provider_not_allowed') throw new Failure('sign_in_method_not_allowed')
      return null
    }
  }

  async #start(request: Start) {
    const { workspaceId, returnTo, isStepUp } = request
    const { database, oidc, publicUrl } = this.#options
    const { settings } = await this.#provider(request)
    const { url, flow } = await oidc.begin(settings, redirectUri(publicUrl, workspaceId), isStepUp)
    const { token, hash } = issueFlowToken()
    const { issuer, clientId } = settings
    const stepUpAt = isStepUp ? Date.now() : null
    const data: StoredFlow = { ...flow, issuer, clientId, returnTo: returnPath(returnTo), stepUpAt }
    await database.writeUnnumbered({ workspaceId }, async (read) => {
      await deleteOldFlows(read, flowsMax)
      await insertFlow(read, { hash, kind: 'oidc', data, minutes: flowMinutes })
    })
    return { url, token }
  }

  async #finish(request: Callback) {
    const { workspaceId, token, query, origin } = request
    const { oidc, sessions, publicUrl } = this.#options
    const flow = await this.#takeFlow(workspaceId, token)
    const { provider, settings } = await this.#provider(request)
    const isSameClient = settings.issuer === flow.issuer && settings.clientId === flow.clientId
    if (!isSameClient) throw new Refusal('unknown_flow')
    const callback = new URL(`${redirectUri(publicUrl, workspaceId)}?${query}`)
    const account = await oidc.finish(settings, callback, flow)
    const notRecent = reasonAgainstStepUp(account, flow)
    if (notRecent !== null) return { notRecent }
    const userId = await this.#findPerson({ workspaceId, provider, account, origin })
    // A provider keeps people signed in. If it does not say since when, it can be any time ago.
    const secondsSinceProof = account.secondsSinceAuthentication ?? limits.recentMinutes * 60
    const session = await sessions.startWithProof(
      { workspaceId, method, origin, secondsSinceProof },
      { find: async () => userId, use: (read) => updateIdentityUse(read, userId, account) },
    )
    if (session === null) throw new Refusal('person_not_active', userId)
    return { ...session, returnTo: flow.returnTo }
  }

  /** Uses the flow up even if a later step fails: a repeated callback is refused. */
  async #takeFlow(workspaceId: string, token: string | null): Promise<StoredFlow> {
    if (token === null) throw new Refusal('unknown_flow')
    const flow = await this.#options.database.writeUnnumbered({ workspaceId }, (read) =>
      takeFlow(read, { hash: flowHashOf(token), kind: 'oidc' }),
    )
    if (flow === null) throw new Refusal('unknown_flow')
    // The cast holds because only `#start` writes flows of this kind.
    return flow as StoredFlow
  }

  async #provider({ workspaceId, releaseDuring }: ProviderContact) {
    const { database, secrets } = this.#options
    const provider = await database.read({ workspaceId }, async (read) => {
      if (!(await isMethodAllowed(read, method))) throw new Refusal('provider_not_allowed')
      return selectProvider(read)
    })
    if (provider === null) throw new Refusal('no_provider')
    const { issuer, client_id: clientId } = provider
    const clientSecret = secrets.decrypt(provider.client_secret, clientSecretOf(workspaceId))
    if (clientSecret === null) throw new Refusal('unreadable_secret')
    const settings = { workspaceId, releaseDuring, issuer, clientId, clientSecret }
    return { provider, settings }
  }

  /** The bound person, or at the first sign-in the person that the account matches. */
  async #findPerson(signedIn: SignedIn): Promise<string> {
    const { workspaceId, provider, account } = signedIn
    const { database } = this.#options
    const bound = await database.read({ workspaceId }, (read) => selectBoundPerson(read, account))
    const hasDomains = provider.allowed_domains.length > 0
    if (bound !== null && !hasDomains) return bound
    const profile = await account.profile()
    if (hasDomains) refuseOtherDomain(provider.allowed_domains, profile)
    return bound ?? bindAccount(database, { ...signedIn, profile })
  }
}

interface SignedIn {
  readonly workspaceId: string
  readonly provider: StoredProvider
  readonly account: OidcAccount
  readonly origin: Origin
}

/** A step-up needs an authentication after its start. A provider may ignore that it must ask. */
function reasonAgainstStepUp(
  { secondsSinceAuthentication: seconds }: OidcAccount,
  { stepUpAt = null }: StoredFlow,
): StepUpReason | null {
  if (stepUpAt === null) return null
  if (seconds === null) return 'no_auth_time'
  const secondsSinceStart = (Date.now() - stepUpAt) / 1000
  return seconds > secondsSinceStart + clockToleranceSeconds ? 'auth_time_too_old' : null
}

/** Without verification anyone could claim an address in an allowed domain. */
function refuseOtherDomain(domains: readonly string[], profile: OidcProfile): void {
  const domain =
    asciiLowerCase(profile.email ?? '')
      .split('@')
      .at(-1) ?? ''
  if (!profile.isEmailVerified || !domains.includes(domain)) throw new Refusal('domain_not_allowed')
}
