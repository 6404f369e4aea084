import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import { Secrets } from '#domain/oidc/secrets'

const newKey = () => randomBytes(32).toString('base64')
const [first, second] = [newKey(), newKey()]
const context = { workspaceId: 'wsp_1', purpose: 'oidc_client_secret' } as const

function encrypted(secrets: Secrets, text: string): Buffer {
  const stored = secrets.encrypt(text, context)
  assert.ok(stored)
  return stored
}

test('decrypts what it encrypted, and never encrypts a text twice alike', () => {
  const secrets = new Secrets([first])
  for (const text of ['', 'secret', '→'.repeat(500)]) {
    const stored = encrypted(secrets, text)
    assert.equal(secrets.decrypt(stored, context), text)
    assert.ok(text === '' || !stored.includes(text))
    assert.ok(!stored.equals(encrypted(secrets, text)))
  }
})

test('does not decrypt a secret that was changed in any byte', () => {
  const secrets = new Secrets([first])
  const stored = encrypted(secrets, 'secret')
  for (let index = 0; index < stored.length; index++) {
    const changed = Buffer.from(stored)
    changed.writeUInt8(stored.readUInt8(index) ^ 1, index)
    assert.equal(secrets.decrypt(changed, context), null)
    assert.equal(secrets.decrypt(stored.subarray(0, index), context), null)
  }
})

test('does not decrypt the secret of another workspace', () => {
  const secrets = new Secrets([first])
  const stored = encrypted(secrets, 'secret')
  assert.equal(secrets.decrypt(stored, { ...context, workspaceId: 'wsp_2' }), null)
})

test('encrypts with the first key and decrypts with every key', () => {
  const stored = encrypted(new Secrets([first]), 'secret')
  const rotated = new Secrets([second, first])
  assert.equal(rotated.decrypt(stored, context), 'secret')
  assert.ok(!rotated.isCurrent(stored))
  const again = encrypted(rotated, 'secret')
  assert.ok(rotated.isCurrent(again))
  assert.equal(new Secrets([second]).decrypt(again, context), 'secret')
  assert.equal(new Secrets([first]).decrypt(again, context), null)
})

test('encrypts and decrypts nothing without a key', () => {
  const stored = encrypted(new Secrets([first]), 'secret')
  const none = new Secrets([])
  assert.equal(none.encrypt('secret', context), null)
  assert.equal(none.decrypt(stored, context), null)
  assert.ok(!none.isCurrent(stored))
})
