import assert from 'node:assert/strict'

import { createCertificate, trustCertificate } from '@muster/testing/certificate'
import { providerClient, startProvider } from '@muster/testing/provider'

import { rotateSecrets } from '#domain/auth/rotate-secrets'
import { Secrets } from '#domain/oidc/secrets'
import { giveRole } from '#test/auth/people'
import { type Host, isolated, listen, newWorkspace } from '#test/support/workspace'

import { ProviderBrowser, publicUrl } from './provider-browser.ts'

/** Sends every statement of sign-ins with an identity provider, for queries.sql. */
export async function exerciseProvider(host: Host): Promise<void> {
  const certificate = createCertificate('IP:127.0.0.1')
  trustCertificate(certificate)
  const base = await listen(host.url, { publicUrl, egress: { allow: ['127.0.0.1'] } })
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const redirectUris = [`${publicUrl}/sign-in/${home.id}/oidc/callback`]
  const emails = ['role@example.com', 'none@example.com', 'held@example.com']
  const accounts = new Map(emails.map((email) => [email, { email, email_verified: true }]))
  const issuer = await startProvider({ certificate, redirectUris, accounts })
  const settings = {
    issuer,
    client_id: providerClient.clientId,
    client_secret: providerClient.clientSecret,
    match: 'email',
    allowed_domains: [],
    first_sign_in: 'reader',
  }
  const replace = async (changes: object = {}) => {
    const body = { ...settings, ...changes }
    assert.equal((await manager.send('PUT', '/v1/workspace/sign-in', { body })).status, 200)
  }
  await replace()
  const [withRole, , held] = await Promise.all(
    emails.map(async (email) => (await manager.post('/v1/personnel', { name: email, email })).body),
  )
  await giveRole(manager, { role: 'reader', user_id: withRole.id })
  await giveRole(manager, { role: 'admin', user_id: held.id })
  const roster = await home.key('personnel.manage')
  await roster.send('PATCH', `/v1/personnel/${held.id}`, { body: { email: 'other@example.com' } })
  await roster.send('PATCH', `/v1/personnel/${held.id}`, { body: { email: 'held@example.com' } })
  const signIn = async (account: string, expected: RegExp) => {
    const { location } = await new ProviderBrowser(base, home.id, account).signIn()
    assert.match(location, expected)
  }
  await signIn('role@example.com', /^\/$/)
  await signIn('role@example.com', /^\/$/)
  await signIn('none@example.com', /^\/$/)
  await signIn('held@example.com', /problem=/)
  await manager.send('DELETE', `/v1/personnel/${withRole.id}/sign-in/identity`)
  await manager.post(`/v1/personnel/${held.id}/confirm-identity`, undefined)
  const keys = [Buffer.alloc(32, 'newer').toString('base64'), ...isolated.secretsKeys]
  assert.equal((await rotateSecrets(host.owner, new Secrets(keys))).rotated.length > 0, true)
  await rotateSecrets(host.owner, new Secrets([...isolated.secretsKeys, ...keys]))
  await replace({ issuer: 'https://other.example.com' })
  await manager.post('/v1/workspace/sign-in/test', undefined)
  await manager.post('/v1/workspace/sign-in/check', { issuer: 'https://other.example.com' })
  await manager.send('DELETE', '/v1/workspace/sign-in')
}
