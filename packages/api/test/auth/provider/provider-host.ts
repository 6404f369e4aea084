import assert from 'node:assert/strict'

import type { RoleName } from '@muster/contract'
import { createCertificate, trustCertificate } from '@muster/testing/certificate'
import { providerClient, type ProviderAccount, startProvider } from '@muster/testing/provider'

import { giveRole } from '#test/auth/people'
import type { Client } from '#test/support/client'
import { recordSockets } from '#test/support/sockets'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

import { publicUrl } from './provider-browser.ts'

/** A service with a provider for three workspaces, on loopback only. The third has no provider. */
export async function startProviderHost() {
  recordSockets()
  const certificate = createCertificate('IP:127.0.0.1')
  trustCertificate(certificate)
  const host = await startHost()
  const options = { publicUrl, egress: { allow: ['127.0.0.1'] } }
  const base = await listen(host.url, options)
  const [home, other, plain] = [
    await newWorkspace(host),
    await newWorkspace(host),
    await newWorkspace(host),
  ]
  const redirectUris = [home, other].map(({ id }) => `${publicUrl}/sign-in/${id}/oidc/callback`)
  const accounts = new Map<string, ProviderAccount>()
  const issuer = await startProvider({ certificate, redirectUris, accounts })
  /** An account at the provider. The subject is new, whatever the email is. */
  const newAccount = (claims: Partial<ProviderAccount> & { email: string }) => {
    const subject = `subject-${accounts.size + 1}`
    accounts.set(subject, { email_verified: true, ...claims })
    return subject
  }
  const configure = async (client: Client, changes: object = {}) => {
    const body = { issuer, ...usual, ...changes }
    const reply = await client.send('PUT', '/v1/workspace/sign-in', { body })
    assert.equal(reply.status, 200, reply.text)
  }
  const manager = await home.manager()
  await configure(manager)
  const otherProcess = () => listen(host.url, options)
  const places = { host, base, otherProcess, home, other, plain }
  return { ...places, manager, accounts, newAccount, configure }
}

const usual = {
  client_id: providerClient.clientId,
  client_secret: providerClient.clientSecret,
  match: 'email',
  allowed_domains: [],
  first_sign_in: 'refuse',
}

let people = 0

/** A person with the role reader, unless `role` is null. */
export async function newPerson(
  manager: Client,
  fields: object = {},
  role: RoleName | null = 'reader',
) {
  people += 1
  const email = `person${people}@example.com`
  const reply = await manager.post('/v1/personnel', { name: `Person ${people}`, email, ...fields })
  assert.equal(reply.status, 201, reply.text)
  const { id } = reply.body
  if (role !== null) await giveRole(manager, { role, user_id: id })
  return { id, email }
}

export async function changeEmail(client: Client, userId: string, email: string): Promise<void> {
  const reply = await client.send('PATCH', `/v1/personnel/${userId}`, { body: { email } })
  assert.equal(reply.status, 200, reply.text)
}
