import assert from 'node:assert/strict'

import { signInMethods } from '@muster/contract'

import { SoftAuthenticator } from '#test/auth/passkeys/authenticator'
import { challengeOf, personWithPasskey, withCookies } from '#test/auth/passkeys/passkey-steps'
import { addPerson, giveRole, newLink, signInByLink } from '#test/auth/people'
import { Client } from '#test/support/client'
import type { Host, newWorkspace } from '#test/support/workspace'

interface Place {
  readonly host: Host
  readonly home: Awaited<ReturnType<typeof newWorkspace>>
  readonly section: (title: string, work: () => Promise<unknown>) => Promise<void>
}

const ok = ({ status, text }: { status: number; text: string }) => assert.ok(status < 300, text)

/** Sends every statement of sign-in and access that no service key causes. */
export async function sendAsPeople({ host, home, section }: Place): Promise<void> {
  const manager = await home.manager()
  const [admin, other] = [
    await addPerson(manager, { role: 'admin' }),
    await addPerson(manager, { role: 'reader' }),
  ]
  const person = await signInByLink(manager, admin)
  await section('a session of a person', async () => {
    ok(await (await signInByLink(manager, other)).get('/v1/whoami'))
    ok(await person.get('/v1/personnel/me'))
    ok(await person.get('/v1/personnel/me/assignments'))
    ok(await person.get('/v1/sessions'))
    const { data } = (await person.get('/v1/sessions')).body
    ok(await person.send('DELETE', `/v1/sessions/${data[0].id}`))
  })
  await section('passkeys', () => usePasskey(manager, home.id))
  await section('a passkey by link', () => enrolPasskey(manager, other))
  await section('ways to sign in', async () => {
    for (const sign_in_methods of [['passkey', 'provider', 'key'], ['link'], signInMethods]) {
      const body = { policies: { sign_in_methods } }
      ok(await manager.send('PATCH', '/v1/workspace', { body }))
    }
  })
  await section('the sign-in page', async () => {
    ok(await home.stranger.get('/sign-in/workspaces'))
    ok(await home.stranger.get(`/sign-in/${home.id}/methods`))
    const { path, token } = await newLink(manager, other)
    ok(await withCookies(manager.base).post(`${path}/preview`, { token }))
  })
  const again = await signInByLink(manager, admin)
  await section('a step-up', async () => ok(await again.get('/account/step-up')))
  await section('personal keys', async () => {
    const made = await again.post('/v1/personnel/me/keys', { name: 'Own', scopes: ['keys.read'] })
    ok(made)
    ok(await again.get('/v1/personnel/me/keys'))
    ok(await new Client(host.base, made.body.secret).get('/v1/whoami'))
    ok(await again.post(`/v1/personnel/me/keys/${made.body.id}/revoke`, {}))
  })
  const group = (await manager.post('/v1/groups', { name: 'With a role' })).body.id
  await section('roles: groups, and changes that need the rights of a role', async () => {
    await giveRole(manager, { role: 'contributor', group_id: group })
    await giveRole(manager, { role: 'reader', group_id: group })
    const weak = await home.key('personnel.manage', 'personnel.read', 'projects.read')
    ok(await weak.send('PUT', `/v1/groups/${group}/members/${other}`))
    ok(await weak.send('PATCH', `/v1/personnel/${admin}`, { body: { external_id: 'held' } }))
    ok(await weak.send('DELETE', `/v1/groups/${group}/members/${other}`))
    ok(await weak.post(`/v1/groups/${group}/archive`, {}))
    ok(await weak.post(`/v1/groups/${group}/restore`, {}))
  })
  await section('changed identities', async () => {
    ok(await manager.get('/v1/access'))
    const held = await manager.send('PUT', `/v1/groups/${group}/members/${admin}`)
    assert.equal(held.status, 200, held.text)
    await giveRole(manager, { role: 'reader', user_id: admin })
    const entries = [
      { role: 'admin', user_id: admin },
      { role: 'admin', group_id: group },
    ]
    const refused = await manager.send('PUT', '/v1/access', { body: { entries } })
    assert.equal(refused.status, 409, refused.text)
    const groupAlone = { body: { entries: entries.slice(1) } }
    assert.equal((await manager.send('PUT', '/v1/access', groupAlone)).status, 409)
    const update = `/v1/personnel/${admin}?end_sign_in=true`
    ok(await manager.send('PATCH', update, { body: { external_id: 'corrected' } }))
    ok(await manager.post(`/v1/personnel/${admin}/confirm-identity`, {}))
    await giveRole(manager, { role: 'admin', user_id: admin })
  })
  await section('departure of an administrator', async () => {
    ok(await manager.post(`/v1/personnel/${admin}/depart`, {}))
  })
}

/** Adds a passkey with a link, without a session. */
async function enrolPasskey(manager: Client, userId: string): Promise<void> {
  const { path, token: link } = await newLink(manager, userId)
  const begun = await withCookies(manager.base).post(`${path}/passkey/options`, { link })
  ok(begun)
  const response = new SoftAuthenticator().register(begun.body)
  const sender = withCookies(manager.base, challengeOf(begun))
  ok(await sender.post(`${path}/passkey`, { link, name: 'Laptop', response }))
}

/** Registers a passkey, signs in with it, renames and removes it. */
async function usePasskey(manager: Client, workspaceId: string): Promise<void> {
  const { authenticator, browser, passkey } = await personWithPasskey(manager)
  const path = `/sign-in/${workspaceId}/passkey`
  const begun = await withCookies(manager.base).post(`${path}/options`, {})
  ok(begun)
  const sender = withCookies(manager.base, challengeOf(begun))
  ok(await sender.post(path, { response: authenticator.authenticate(begun.body) }))
  ok(await browser.get('/v1/passkeys'))
  const own = `/v1/passkeys/${passkey.id}`
  ok(await browser.send('PUT', `${own}/name`, { body: { name: 'Laptop' } }))
  ok(await browser.send('DELETE', own))
}
