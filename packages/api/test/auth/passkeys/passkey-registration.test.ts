import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits, operations } from '@muster/contract'

import { readToken } from '#domain/auth/token'
import { uuidOf } from '#storage/values/id'
import { type Browser, outcome, tokenOf } from '#test/auth/browser'
import { addPerson, signInByLink } from '#test/auth/people'
import { Client, type Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { type Cbor, type Deviation, SoftAuthenticator } from './authenticator.ts'
import { beginRegistration, personWithPasskey, register, withCookies } from './passkey-steps.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

test('asks for a discoverable credential with user verification, and names the workspace', async () => {
  const userId = await addPerson(manager, { name: 'Mara', email: 'mara@keys.example' })
  const browser = await signInByLink(manager, userId)
  const { authenticator } = await register(browser)
  const { options } = await beginRegistration(browser)
  assert.deepEqual(options.rp, { name: 'Muster', id: 'localhost' })
  assert.match(options.user.name, /^mara@keys\.example \(Workspace /)
  assert.equal(options.user.displayName, 'Mara')
  assert.equal(options.attestation, 'none')
  assert.equal(options.authenticatorSelection.residentKey, 'required')
  assert.equal(options.authenticatorSelection.userVerification, 'required')
  assert.deepEqual(
    options.excludeCredentials.map(({ id }: Json) => id),
    [authenticator.id],
  )
})

test('renames and removes only the own passkeys', async () => {
  const { browser, passkey } = await personWithPasskey(manager)
  const { browser: stranger } = await personWithPasskey(manager)
  const path = `/v1/passkeys/${passkey.id}`
  const rename = (who: Browser) => who.send('PUT', `${path}/name`, { body: { name: 'Phone' } })
  assert.equal(outcome(await rename(stranger)), '404 not_found')
  assert.equal(outcome(await stranger.send('DELETE', path)), '404 not_found')
  assert.deepEqual((await rename(browser)).body, { ...passkey, name: 'Phone' })
  assert.equal((await browser.get('/v1/passkeys')).body.data[0].name, 'Phone')
  assert.equal(outcome(await manager.get('/v1/passkeys')), '404 not_a_person')
})

test('registers only in a recent session of a person', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const browser = await signInByLink(manager, userId)
  const { cookie } = browser
  const paths = ['/account/passkeys/options', '/account/passkeys']
  for (const path of paths) {
    assert.equal(outcome(await home.stranger.post(path, {})), '401 missing_credentials')
    assert.equal(outcome(await manager.post(path, {})), '404 not_a_person')
    assert.equal(outcome(await home.stranger.post(path, {}, { cookie })), '401 missing_credentials')
  }
  await host.sql.query(
    `update sessions set authenticated_at = now() - interval '11 minutes' where hash = $1`,
    [readToken(tokenOf(browser), 'session')?.hash],
  )
  for (const path of paths)
    assert.equal(outcome(await browser.post(path, {})), '403 reauthentication_required')
  const recent = await signInByLink(manager, userId)
  const made = await recent.post(operations.personal_keys.create.path, {
    name: 'Script',
    scopes: ['personnel.read'],
  })
  assert.equal(made.status, 201, made.text)
  const script = new Client(host.base, made.body.secret)
  assert.equal(outcome(await script.post('/account/passkeys/options', {})), '403 session_required')
})

const certificates = new Map<string, Cbor>([
  ['alg', -7],
  ['sig', Buffer.alloc(70)],
  ['x5c', [Buffer.alloc(100)]],
])
const deviations: Record<string, Deviation> = {
  'another origin': { origin: 'http://localhost:8081' },
  'another domain': { rpId: 'example.com' },
  'another challenge': { challenge: 'AAAA' },
  'an authentication': { type: 'webauthn.get' },
  'no user verification': { isUserVerified: false },
  'a certificate': { attestation: { fmt: 'packed', attStmt: certificates } },
  'the certificate of an Android key': {
    attestation: { fmt: 'android-key', attStmt: certificates },
  },
}

const finish = (who: Browser, response: Json) =>
  who.post('/account/passkeys', { name: 'Laptop', response })

for (const [what, deviation] of Object.entries(deviations)) {
  test(`refuses a registration with ${what}`, async () => {
    const browser = await signInByLink(manager, await addPerson(manager, { role: 'reader' }))
    const { options, finisher } = await beginRegistration(browser)
    const reply = await finish(finisher, new SoftAuthenticator().register(options, deviation))
    assert.equal(outcome(reply), '422 validation_failed')
    assert.equal(reply.body.errors[0].pointer, '/response')
    assert.deepEqual((await browser.get('/v1/passkeys')).body.data, [])
  })
}

test('a challenge works once, for the person and the browser that asked for it', async () => {
  const browser = await signInByLink(manager, await addPerson(manager, { role: 'reader' }))
  const colleague = await signInByLink(manager, await addPerson(manager, { role: 'reader' }))
  const authenticator = new SoftAuthenticator()
  const { options, finisher } = await beginRegistration(browser)
  const response = authenticator.register(options)
  const stolen = withCookies(host.base, colleague.cookie, finisher.cookie.split('; ')[1] ?? '')
  assert.equal(outcome(await finish(stolen, response)), '422 validation_failed', 'another person')
  assert.equal(outcome(await finish(finisher, response)), '422 validation_failed', 'used before')
  const fresh = await beginRegistration(browser)
  const valid = authenticator.register(fresh.options)
  assert.equal(outcome(await finish(browser, valid)), '422 validation_failed', 'no cookie')
  assert.equal(outcome(await finish(fresh.finisher, valid)), '201')
  const again = await beginRegistration(colleague)
  const copied = authenticator.register(again.options)
  assert.equal(outcome(await finish(again.finisher, copied)), '422 validation_failed', 'a copy')
  assert.equal(outcome(await finish(fresh.finisher, { id: 7 })), '422 validation_failed')
})

test('limits the passkeys of a person', async () => {
  const { userId, browser } = await personWithPasskey(manager)
  const { options, finisher } = await beginRegistration(browser)
  await host.sql.query(
    `insert into passkeys (workspace_id, id, user_id, credential_id, public_key, counter, name,
       created_at)
     select $1, gen_random_uuid(), $2, 'more ' || n, '', 0, 'More', now()
     from generate_series(2, $3::int) as n`,
    [home.uuid, uuidOf(userId), limits.passkeysMax],
  )
  const response = new SoftAuthenticator().register(options)
  const refused = await finisher.post('/account/passkeys', { name: 'Last', response })
  assert.equal(outcome(refused), '403 quota_exceeded')
  assert.equal(outcome(await browser.post('/account/passkeys/options', {})), '403 quota_exceeded')
})
