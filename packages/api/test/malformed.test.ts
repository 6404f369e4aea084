import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, type Operation } from '@muster/contract'
import { exampleOf } from '@muster/contract/openapi'
import * as fc from 'fast-check'

import type { Json, Reply } from './client.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const rounds = Number(process.env['ROUNDS'] ?? 500)

const writes = everyOperation().filter(({ operation }) => operation.body)

/** Text of every kind, also such as no well-meaning client sends. */
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\u0007',
    '\u{1F9A5}',
    '__proto__',
    'null',
    '1e999',
    '𝕏'.repeat(250),
  ),
)

const oddValue = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, -0, 1e21, 2 ** 53 + 2, [], {}, [[[]]]),
)

/** A good body with some members made odd, left out or made up; or no such body at all. */
function oddBody({ body }: Operation): fc.Arbitrary<unknown> {
  const names = Object.keys(body?.properties ?? {})
  const example = { ...(exampleOf(body ?? {}) as object), manager_user_id: null }
  const name = fc.oneof(fc.constantFrom(...names), oddText)
  const changed = fc.array(fc.tuple(name, oddValue), { maxLength: 4 }).map((changes) => ({
    ...example,
    email: null,
    external_id: null,
    ...Object.fromEntries(changes),
  }))
  return fc.oneof({ arbitrary: changed, weight: 4 }, { arbitrary: oddValue, weight: 1 })
}

function assertProblem({ status, headers, body }: Reply, sent: string): void {
  const shown = sent.slice(0, 300)
  assert.ok(status === 201 || (status >= 400 && status < 500), `${status} for ${shown}`)
  if (status === 201) return
  assert.equal(headers.get('content-type'), 'application/problem+json', shown)
  assert.equal(body.status, status)
  assert.equal(body.request_id, headers.get('request-id'))
  assert.ok((body.errors ?? []).length <= 50)
}

for (const { name, operation } of writes) {
  test(`${name}: ${rounds} odd bodies, no 5xx, and what is taken comes back (seed ${seed})`, async () => {
    const bodies = fc.sample(oddBody(operation), { seed, numRuns: rounds })
    let taken = 0
    for (const body of bodies) {
      const sent = JSON.stringify(body)
      const reply = await manager.send('POST', operation.path, { body: sent })
      assertProblem(reply, sent)
      if (reply.status !== 201) continue
      taken += 1
      const back = await manager.get(reply.headers.get('location') ?? '')
      for (const [field, value] of Object.entries(JSON.parse(sent) as object)) {
        assert.deepEqual(back.body[field], value, `${field} of ${sent.slice(0, 300)}`)
      }
    }
    assert.ok(taken > 5 && taken < rounds, `${taken} of ${rounds} were taken`)
  })

  test(`${name}: what JSON.parse would let pass is refused`, async () => {
    const text = (value: string) => Buffer.from(value)
    const refused: Record<string, Buffer> = {
      'nothing at all': text(''),
      'not JSON': text('{'),
      'a member twice': text('{"name":"a","name":"b"}'),
      'a member twice, spelt differently': text('{"name":"a","n\\u0061me":"b"}'),
      'a member twice, deep inside': text('{"name":"a","metadata":{"k":"1","k":"2"}}'),
      'an infinite number': text('{"name":1e999}'),
      'an integer that cannot be kept': text('{"name":9007199254740993}'),
      'a NUL': text('{"name":"a\\u0000b"}'),
      'half a surrogate pair': text('{"name":"a\\ud800"}'),
      'the other half': text('{"name":"\\udc00a"}'),
      'a name with half a pair': text('{"\\ud800":1}'),
      __proto__: text('{"name":"a","__proto__":{"x":1}}'),
      'a byte order mark': Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), text('{"name":"a"}')]),
      'a byte that is not UTF-8': Buffer.concat([text('{"name":"'), Buffer.of(0xff), text('"}')]),
      'an overlong encoding': Buffer.concat([text('{"name":"'), Buffer.of(0xc0, 0xaf), text('"}')]),
      'a surrogate in UTF-8': Buffer.concat([
        text('{"name":"'),
        Buffer.of(0xed, 0xa0, 0x80),
        text('"}'),
      ]),
      'a deep nest': text('['.repeat(33) + ']'.repeat(33)),
      'a very deep nest': text('['.repeat(60_000)),
      'a trailing comma': text('{"name":"a",}'),
      'two values': text('{"name":"a"}{}'),
      NaN: text('{"name":NaN}'),
    }
    for (const [what, body] of Object.entries(refused)) {
      const reply = await manager.send('POST', operation.path, { body })
      assert.equal(`${reply.status} ${reply.body?.code}`, '400 bad_json', what)
    }
    assert.equal(({} as Json).x, undefined, 'no prototype was touched')
  })

  test(`${name}: every flaw is told at once, without repeating what was sent`, async () => {
    const secret = 'hunter2hunter2'
    const { status, body } = await manager.post(operation.path, {
      name: { secret },
      email: secret,
      time_zone: 5,
      metadata: { 'bad key': secret, list: [secret] },
      [secret.toUpperCase()]: 1,
    })
    assert.equal(status, 422)
    assert.ok(body.errors.length >= 5)
    assert.ok(!JSON.stringify(body).includes(secret))
  })

  test(`${name}: at most 50 flaws are told`, async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 1]))
    const { status, body } = await manager.post(operation.path, many)
    assert.equal(status, 422)
    assert.equal(body.errors.length, 50)
  })
}
