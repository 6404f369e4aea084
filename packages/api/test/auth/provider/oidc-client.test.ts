import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'

import { createCertificate, trustCertificate } from '@muster/testing/certificate'
import { providerClient, ProviderUser, startProvider } from '@muster/testing/provider'

import { OidcClient, type OidcFlow } from '#domain/oidc/oidc-client'
import { createEgress, egressPlacesMax } from '#egress/egress'
import { FairShare } from '#http/edge/fair-share'
import { recordSockets } from '#test/support/sockets'

const attempts = recordSockets()
const certificate = createCertificate('IP:127.0.0.1')
trustCertificate(certificate)
const redirectUri = 'https://muster.example/callback'
const accounts = new Map([
  ['ada', { email: 'ada@example.com', email_verified: true, external_id: 'E7' }],
])
const options = { certificate, redirectUris: [redirectUri], accounts }
const issuer = await startProvider(options)
const contact = {
  workspaceId: 'wsp_1',
  releaseDuring: <T>(work: () => Promise<T>) => work(),
}
const settings = { ...contact, issuer, ...providerClient }
const client = new OidcClient(
  createEgress({ allow: ['127.0.0.1'] }, new FairShare(egressPlacesMax)),
)

async function begin(account = 'ada') {
  const { url, flow } = await client.begin(settings, redirectUri)
  return { flow, callback: await new ProviderUser(account).signIn(url) }
}

test('starts the code flow with PKCE, state and nonce', async () => {
  const { url, flow } = await client.begin(settings, redirectUri)
  const query = new URL(url).searchParams
  assert.equal(query.get('response_type'), 'code')
  assert.equal(query.get('code_challenge_method'), 'S256')
  assert.equal(query.get('state'), flow.state)
  assert.equal(query.get('nonce'), flow.nonce)
  assert.ok(!url.includes(flow.codeVerifier))
  const other = await client.begin(settings, redirectUri)
  assert.notEqual(other.flow.state, flow.state)
})

test('returns issuer and subject, and the claims of the user info endpoint', async () => {
  const { flow, callback } = await begin()
  const account = await client.finish(settings, callback, flow)
  assert.deepEqual([account.issuer, account.subject], [issuer, 'ada'])
  const profile = { email: 'ada@example.com', isEmailVerified: true, externalId: 'E7' }
  assert.deepEqual(await account.profile(), profile)
})

test('reads the claims of the ID token', async () => {
  const own = { ...settings, issuer: await startProvider({ ...options, isInIdToken: true }) }
  const { url, flow } = await client.begin(own, redirectUri)
  const callback = await new ProviderUser('ada').signIn(url)
  const account = await client.finish(own, callback, flow)
  assert.equal((await account.profile()).email, 'ada@example.com')
})

test('refuses another state, nonce or code verifier', async () => {
  const others: Partial<OidcFlow>[] = [
    { state: 'other' },
    { nonce: 'other' },
    { codeVerifier: 'other-verifier-that-has-at-least-43-characters' },
  ]
  for (const other of others) {
    const { flow, callback } = await begin()
    await assert.rejects(client.finish(settings, callback, { ...flow, ...other }), {
      name: 'OidcError',
    })
  }
})

test('refuses a code that was used, of another flow, or made up', async () => {
  const { flow, callback } = await begin()
  await client.finish(settings, callback, flow)
  await assert.rejects(client.finish(settings, callback, flow), { reason: 'code_refused' })
  const [victim, attacker] = [await begin(), await begin('eve')]
  const injected = new URL(victim.callback)
  injected.searchParams.set('code', attacker.callback.searchParams.get('code') ?? '')
  await assert.rejects(client.finish(settings, injected, victim.flow), { reason: 'code_refused' })
  injected.searchParams.set('code', 'made-up')
  await assert.rejects(client.finish(settings, injected, victim.flow), { reason: 'code_refused' })
})

test('refuses a response of another issuer, without an issuer, or with an error', async () => {
  const { flow, callback } = await begin()
  const changed = (change: (query: URLSearchParams) => void) => {
    const url = new URL(callback)
    change(url.searchParams)
    return client.finish(settings, url, flow)
  }
  const isInvalid = { reason: 'invalid_response' }
  await assert.rejects(
    changed((query) => query.set('iss', 'https://evil.example')),
    isInvalid,
  )
  await assert.rejects(
    changed((query) => query.delete('iss')),
    isInvalid,
  )
  await assert.rejects(
    changed((query) => query.append('code', 'second')),
    isInvalid,
  )
  await assert.rejects(
    changed((query) => query.delete('code')),
    { name: 'OidcError' },
  )
  await assert.rejects(
    changed((query) => query.set('error', 'access_denied')),
    {
      reason: 'provider_refused',
    },
  )
})

test('refuses a wrong client secret', async () => {
  const { flow, callback } = await begin()
  const wrong = { ...settings, clientSecret: 'wrong' }
  await assert.rejects(client.finish(wrong, callback, flow), { name: 'OidcError' })
})

test('refuses an ID token that no key of the provider signed', async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
  const replaced = { '/jwks': () => ({ keys: [key] }) }
  const own = { ...settings, issuer: await startProvider({ ...options, replaced }) }
  const { url, flow } = await client.begin(own, redirectUri)
  const callback = await new ProviderUser('ada').signIn(url)
  await assert.rejects(client.finish(own, callback, flow), { reason: 'invalid_response' })
})

test('opens no connection to an internal address in the metadata', async () => {
  for (const internal of ['https://10.0.0.1/token', 'https://[::1]/', 'http://127.0.0.1/token']) {
    const metadata = (own: string) => ({
      issuer: own,
      authorization_endpoint: `${own}/auth`,
      token_endpoint: internal,
      jwks_uri: `${own}/jwks`,
    })
    const replaced = { '/.well-known/openid-configuration': metadata }
    const own = { ...settings, issuer: await startProvider({ ...options, replaced }) }
    const callback = new URL(`${redirectUri}?code=x&state=state`)
    const flow = { state: 'state', nonce: 'nonce', codeVerifier: 'v'.repeat(43) }
    const before = attempts.length
    await assert.rejects(client.finish(own, callback, flow), { name: 'OidcError' })
    assert.deepEqual(attempts.slice(before), ['127.0.0.1'], 'only discovery')
  }
})

test('refuses a provider whose browser address is not https', async () => {
  for (const unsafe of ['javascript:alert(1)', 'http://127.0.0.1/auth', undefined]) {
    const metadata = (own: string) => ({
      issuer: own,
      authorization_endpoint: unsafe,
      token_endpoint: `${own}/token`,
      jwks_uri: `${own}/jwks`,
    })
    const replaced = { '/.well-known/openid-configuration': metadata }
    const own = { ...settings, issuer: await startProvider({ ...options, replaced }) }
    await assert.rejects(client.begin(own, redirectUri), { reason: 'provider_misconfigured' })
  }
})

test('explains why a provider cannot be used', async () => {
  await client.check(settings)
  for (const [other, reason] of [
    ['https://10.0.0.1', 'provider_unreachable'],
    ['https://127.0.0.1:1', 'provider_unreachable'],
    [`${issuer}/`, 'provider_misconfigured'],
    [`${issuer}/tenant`, 'invalid_response'],
  ] as const) {
    await assert.rejects(client.check({ ...contact, issuer: other }), { reason }, other)
  }
})
