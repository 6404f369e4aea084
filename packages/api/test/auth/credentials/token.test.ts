import assert from 'node:assert/strict'
import { test } from 'node:test'

import { issueToken, readToken } from '#domain/auth/token'

const workspaceId = `wsp_${'0'.repeat(26)}`
const tokens = Array.from({ length: 2000 }, () => issueToken(workspaceId).token)
const secrets = tokens.map((token) => token.split('_').at(-1)?.slice(0, -6) ?? '')

test('a key has 190 random bits', () => {
  const columns = Array.from({ length: secrets[0]?.length ?? 0 }, (_, index) =>
    secrets.map((secret) => secret[index]),
  )
  const bits = columns.map((column) => Math.log2(new Set(column).size))
  const sum = bits.reduce((total, each) => total + each, 0)
  assert.ok(sum >= 190 && sum < 191, `${sum} bits`)
  assert.equal(new Set(secrets).size, secrets.length)
})

test('refuses a key with one changed character', () => {
  const [token = ''] = tokens
  assert.ok(readToken(token))
  for (let index = 'muster_key_'.length; index < token.length; index++) {
    const other = token[index] === '0' ? '1' : '0'
    assert.equal(readToken(token.slice(0, index) + other + token.slice(index + 1)), null)
  }
})
