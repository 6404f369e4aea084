import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Operation, scopes } from '@muster/contract'
import * as fc from 'fast-check'

import { Client, type Json } from '#test/support/client'
import { exampleFor, createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes })
const manager = new Client(host.base, token)
const fixture = await createFixture(manager)
const rounds = Number(process.env['ROUNDS'] ?? size(30, 500))

/** Text that software tends to alter: by normalisation, trimming, bidi reordering or truncation. */
const specialTexts = [
  'é',
  'e\u0301',
  '\u{1F469}\u200D\u{1F4BB}',
  '\u202Eabc',
  'a\u200Bb',
  '\uFEFFx',
  'ﬁ',
  'İi',
  '\uFFFEx',
  '\uFFFFx',
  '\uE000',
  '\u{10FFFF}',
  '\u{1F9A5}'.repeat(50),
  ' x ',
  '\u00A0x',
  '\u2028x',
  '１２',
  '\u05D0x\u05D1',
  "'; drop table people; --",
  '\\u0000',
  '%00',
]

async function assertKept(name: string, value: string): Promise<void> {
  const made = await manager.post('/v1/personnel', { name, metadata: { value } })
  assert.equal(made.status, 201, `${JSON.stringify([name, value])} ${made.text}`)
  const { body } = await manager.get(`/v1/personnel/${made.body.id}`)
  assert.equal(body.name, name)
  assert.equal(body.metadata.value, value)
}

test('stores special characters exactly', async () => {
  for (const text of specialTexts) await assertKept(text, text)
})

const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })

test(`stores ${rounds} texts exactly, or refuses them for their content (seed ${seed})`, async () => {
  for (const text of fc.sample(words, { seed, numRuns: rounds })) {
    if (!text.isWellFormed() || text.includes('\0')) {
      const { status, body } = await manager.post('/v1/personnel', { name: text })
      assert.equal(`${status} ${body.code}`, '400 bad_json')
    } else if (/\p{Cc}/u.test(text) || /^\p{Z}*$/u.test(text)) {
      assert.equal((await manager.post('/v1/personnel', { name: text })).status, 422)
    } else await assertKept(text, text)
  }
})

test('refuses ten million bytes of emoji without reading them', async () => {
  const body = `{"name":"${'\u{1F9A5}'.repeat(2_500_000)}"}`
  const { status } = await manager
    .send('POST', '/v1/personnel', { body })
    .catch(() => ({ status: 413 }))
  assert.equal(status, 413)
})

const wrongNumbers = [
  '1e999',
  '-1e400',
  '9007199254740993',
  '1'.repeat(22),
  '1.5',
  '"5"',
  'NaN',
  '01',
]

/** The integer fields of a body. */
const integersOf = ({ body, rows }: Operation) =>
  Object.entries((rows ?? body)?.properties ?? {})
    .filter(([, field]) => [(field as Json).type].flat().includes('integer'))
    .map(([name]) => name)

for (const { name, operation } of keyOperations()) {
  const { method, path, rows, query } = operation
  const fields = integersOf(operation)
  if (fields.length > 0) {
    test(`${name}: refuses a number that cannot be represented`, async () => {
      const example = exampleFor(operation, fixture)
      for (const field of fields) {
        for (const number of wrongNumbers) {
          const row = { ...(rows ? example.data[0] : example), [field]: 'HERE' }
          const text = JSON.stringify(rows ? { data: [row] } : row).replace('"HERE"', number)
          const reply = await manager.send(method, fixture.fill(path), { body: text })
          assert.ok([400, 422].includes(reply.status), `${field}=${number}: ${reply.status}`)
        }
      }
    })
  }
  const counted = Object.entries(query?.properties ?? {}).filter(
    ([, field]) => (field as Json).type === 'integer',
  )
  if (counted.length > 0) {
    test(`${name}: refuses such a number in the query`, async () => {
      for (const [parameter] of counted) {
        for (const number of [...wrongNumbers.slice(0, -1), '1e2', '-0', '0x1', '+1', ' 1', '']) {
          const target = `${fixture.fill(path)}?${parameter}=${encodeURIComponent(number)}`
          const { status, body } = await manager.send(method, target)
          assert.equal(`${status} ${body.code}`, '400 invalid_parameter', `${parameter}=${number}`)
        }
      }
    })
  }
}

const poison = [
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"name":"a","metadata":{"__proto__":{"x":1}}}',
  '{"name":"a","metadata":{"constructor":"1","prototype":"2"}}',
  '{"data":[{"__proto__":{"x":1}}]}',
  '{"data":[{"constructor":{"prototype":{"x":1}}}]}',
  '["__proto__"]',
]

test('protects prototypes from every request', async () => {
  for (const { operation } of keyOperations()) {
    const target = fixture.fill(operation.path)
    const query = '__proto__[x]=1&constructor.prototype.x=1&__proto__.x=1'
    const { status } = await manager.send(operation.method, `${target}?${query}`)
    assert.ok(status >= 400 && status < 500)
    for (const body of operation.body ? poison : []) {
      const reply = await manager.send(operation.method, target, { body })
      assert.ok(reply.status < 500, reply.text)
      if (body.includes('"__proto__":')) assert.equal(reply.body.code, 'bad_json')
    }
    if (operation.rows) {
      const headers = { 'content-type': 'text/csv' }
      const body = '__proto__,constructor,name\r\nx,x,x\r\n'
      assert.equal((await manager.send('POST', target, { body, headers })).status, 400)
    }
  }
  // The service runs in this process, so a changed prototype would show here.
  assert.equal(({} as Json).x, undefined)
  assert.deepEqual(Object.keys(Object.prototype), [])
  assert.equal((Array.prototype as Json).x, undefined)
})
