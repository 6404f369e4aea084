/** The identity provider of a workspace: its settings and their test. */

import assert from 'node:assert/strict'

import type { NewSignInSettings, SignInSettings, SignInTest } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { differences } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import type { OidcProvider } from '#domain/oidc/oidc-client'
import { OidcError } from '#domain/oidc/oidc-error'
import { clientSecretOf } from '#domain/oidc/secrets'
import { redirectUri, signInUrl } from '#domain/oidc/sign-in-urls'
import { deleteSessionsByMethod } from '#storage/nouns/sessions'
import {
  deleteIdentities,
  deleteProvider,
  lockProvider,
  selectProvider,
  type StoredProvider,
  upsertProvider,
} from '#storage/nouns/sign-in'
import { selectWorkspace } from '#storage/nouns/workspace'
import type { Write } from '#storage/statements/access'

import { audit } from './audit.ts'
import { refuseWithoutEveryScope } from './rights.ts'
import { refuseLockout } from './sign-in-methods.ts'

export function viewSignIn(caller: Caller<'workspace.manage'>): Promise<SignInSettings> {
  return caller.database.read(caller, async (read) =>
    presentSettings(caller, await selectProvider(read)),
  )
}

/** A new issuer ends all bindings and their sessions: its subjects are other accounts. */
export function replaceSignIn(
  caller: Caller<'workspace.manage'>,
  input: NewSignInSettings,
): Promise<SignInSettings> {
  const { client_secret: _, ...wanted } = input
  refuseWithoutEveryScope(caller, 'The identity provider')
  return caller.database.write(caller, async (write) => {
    const before = await lockProvider(write)
    const clientSecret = encryptedSecret(caller, before, input)
    const changed = [
      ...differences(before ?? {}, wanted),
      ...(clientSecret === before?.client_secret ? [] : ['client_secret']),
    ]
    if (before !== null && changed.length === 0) return presentSettings(caller, before)
    if (before !== null && before.issuer !== wanted.issuer)
      await endAccounts(write, caller, 'provider_replaced')
    const created_at = before?.created_at ?? write.now
    const dates = { created_at, updated_at: write.now, version: 0 }
    const after = { ...wanted, client_secret: clientSecret, ...dates }
    upsertProvider(write, after)
    write.record({ type: 'sign_in.updated', subject: caller.workspaceId, changed })
    audit(write, caller, { type: 'provider.updated' })
    return presentSettings(caller, after)
  })
}

/**
 * The client secret to store. A stored secret is kept only for the same client at the same issuer:
 * another issuer would receive it at the next sign-in.
 */
function encryptedSecret(
  caller: Caller<'workspace.manage'>,
  before: StoredProvider | null,
  { client_secret: given, issuer, client_id }: NewSignInSettings,
): Buffer {
  const { secrets } = providersOf(caller)
  const isSameClient = before?.issuer === issuer && before.client_id === client_id
  if (given === undefined) {
    if (before !== null && isSameClient) return before.client_secret
    const detail = 'is required for a new issuer or a new client_id'
    throw invalid({ pointer: '/client_secret', code: 'required', detail })
  }
  const context = clientSecretOf(caller.workspaceId)
  if (before !== null && isSameClient && secrets.decrypt(before.client_secret, context) === given)
    return before.client_secret
  const encrypted = secrets.encrypt(given, context)
  if (encrypted !== null) return encrypted
  const detail = 'The operator of this service must set SECRETS_KEY before a secret can be stored.'
  throw new Failure('secrets_not_configured', detail)
}

export function removeSignIn(caller: Caller<'workspace.manage'>): Promise<SignInSettings> {
  refuseWithoutEveryScope(caller, 'The identity provider')
  return caller.database.write(caller, async (write) => {
    const before = await lockProvider(write)
    if (before === null) return presentSettings(caller, null)
    const { policies } = await selectWorkspace(write)
    const others = policies.sign_in_methods.filter((method) => method !== 'provider')
    if (!others.includes('link')) await refuseLockout(write, others)
    await endAccounts(write, caller, 'provider_removed')
    deleteProvider(write)
    write.record({ type: 'sign_in.removed', subject: caller.workspaceId })
    audit(write, caller, { type: 'provider.removed' })
    return presentSettings(caller, null)
  })
}

/** Ends the bindings of all accounts, and the sessions that were started at the provider. */
async function endAccounts(write: Write, caller: Caller<never>, reason: string): Promise<void> {
  await deleteIdentities(write)
  const count = await deleteSessionsByMethod(write, 'oidc')
  if (count > 0) audit(write, caller, { type: 'session.ended', reason, count })
}

type Check = SignInTest['checks'][number]

/** Tries what a sign-in needs, in order, until a check fails. No database connection is held. */
export function testSignIn(caller: Caller<'workspace.manage'>): Promise<SignInTest> {
  return providersOf(caller).testLimit.run(caller.workspaceId, async () => {
    const { secrets } = providersOf(caller)
    const stored = await caller.database.read(caller, selectProvider)
    if (stored === null) throw new Failure('not_found', 'There is no identity provider.')
    const secret = secrets.decrypt(stored.client_secret, clientSecretOf(caller.workspaceId))
    const decrypted = {
      name: 'The service can decrypt the client secret.',
      is_ok: secret !== null,
      advice: secret === null ? 'Set the client secret again.' : null,
    }
    const others = secret === null ? [] : await checkIssuer(caller, stored.issuer)
    return resultOf([decrypted, ...others])
  })
}

/**
 * Tries an issuer before it is set. The service contacts a server that the caller chose, so the
 * caller needs the rights to set it.
 */
export async function checkSignIn(
  caller: Caller<'workspace.manage'>,
  issuer: string,
): Promise<SignInTest> {
  refuseWithoutEveryScope(caller, 'The identity provider')
  return providersOf(caller).testLimit.run(caller.workspaceId, async () =>
    resultOf(await checkIssuer(caller, issuer)),
  )
}

const resultOf = (checks: Check[]): SignInTest => ({
  is_ok: checks.every(({ is_ok }) => is_ok),
  checks,
})

/** The checks of a provider, until one fails. */
async function checkIssuer(caller: Caller<'workspace.manage'>, issuer: string): Promise<Check[]> {
  const { oidc } = providersOf(caller)
  const { workspaceId, releaseDuring } = caller
  const provider = { workspaceId, releaseDuring, issuer }
  const published = await check('The provider publishes its configuration.', () =>
    oidc.check(provider),
  )
  if (!published.is_ok) return [published]
  const keys = await check('The provider publishes its signing keys.', () =>
    oidc.checkKeys(provider),
  )
  return keys.is_ok ? [published, keys, await checkStepUp(caller, provider)] : [published, keys]
}

/**
 * Passes with advice if the metadata do not state it: only a sign-in shows whether the ID token has
 * the claim, and without it people can still sign in.
 */
async function checkStepUp(
  caller: Caller<'workspace.manage'>,
  provider: OidcProvider,
): Promise<Check> {
  const isStated = await providersOf(caller).oidc.statesStepUp(provider)
  return {
    name: 'The provider states when a person authenticated.',
    is_ok: true,
    advice: isStated
      ? null
      : 'The configuration does not list the claim auth_time and the prompt login. Without them ' +
        'people cannot confirm a change of access with the provider: they need a passkey or a ' +
        'link. Only a sign-in shows whether the ID token has the claim.',
  }
}

async function check(name: string, work: () => Promise<void>): Promise<Check> {
  try {
    await work()
    return { name, is_ok: true, advice: null }
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    return { name, is_ok: false, advice: error.message.slice(0, 500) }
  }
}

function providersOf({ identityProviders }: Caller<never>) {
  assert(identityProviders, 'a request has access to identity providers')
  return identityProviders
}

/** The settings as responses show them, without the client secret. */
function presentSettings(
  { publicUrl, workspaceId }: Caller<never>,
  stored: StoredProvider | null,
): SignInSettings {
  assert(publicUrl, 'a request has a public URL')
  const { client_secret: _, ...provider } = stored ?? { client_secret: null }
  return {
    redirect_uri: redirectUri(publicUrl, workspaceId),
    sign_in_url: signInUrl(publicUrl, workspaceId),
    // The cast holds because only the secret was removed.
    provider: stored === null ? null : (provider as Omit<StoredProvider, 'client_secret'>),
  }
}
