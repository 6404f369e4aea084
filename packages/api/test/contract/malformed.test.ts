import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits, type Operation, operations } from '@muster/contract'
import * as fc from 'fast-check'

import { findDrift } from '#test/drift/drift'
import type { Json, Reply } from '#test/support/client'
import { itemPath, type Fixture, createFixture, createFixtureFor } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { delimiter, validRows, arbitraryBody, arbitraryTable, tableOf } from './arbitraries.ts'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
/** `malformed-requests.test.ts` sends as many again. */
const rounds = Number(process.env['ROUNDS'] ?? size(20, 500))
/** Fewer need not lead to every kind of answer. */
const areMany = rounds >= 250

/** For requests that are refused before they read anything. */
const untouched = await createFixture(manager)

const writes = keyOperations().filter(({ operation }) => operation.body)
const batches = writes.filter(({ operation }) => operation.rows)

const send = (operation: Operation, fixture: Fixture, body: string | Buffer) =>
  manager.send(operation.method, fixture.fill(operation.path), { body })

function assertNo5xx({ status, headers, body }: Reply, operation: Operation, sent: string): void {
  const shown = sent.slice(0, 300)
  assert.ok(
    status === operation.status || (status >= 400 && status < 500),
    `${status} for ${shown}`,
  )
  if (status === operation.status) return
  assert.equal(headers.get('content-type'), 'application/problem+json', shown)
  assert.equal(body.status, status)
  assert.equal(body.request_id, headers.get('request-id'))
  assert.ok((body.errors ?? []).length <= limits.errorsMax)
}

/** The transition that makes an operation applicable again. */
const inverses: Readonly<Record<string, [verb: string, body: object]>> = {
  archive: ['restore', {}],
  restore: ['archive', { if_live_items: 'close' }],
  close: ['reopen', {}],
  occur: ['reopen', {}],
  reopen: ['close', { close_reason: 'duplicate' }],
  suspend: ['resume', {}],
  resume: ['suspend', {}],
  depart: ['rejoin', {}],
  rejoin: ['depart', {}],
}

/**
 * Returns the fixture to its state before; or, every 50 times, a new fixture, because a risk cannot
 * occur 100 times.
 */
async function resetFixture(
  operation: Operation,
  fixture: Fixture,
  accepted: number,
): Promise<Fixture> {
  const verb = operation.path.split('/').at(-1) ?? ''
  const [undo, body] = inverses[verb] ?? []
  if (verb === 'rotate') return createFixtureFor(manager, operation)
  if (undo === undefined) return fixture
  if (accepted % 50 === 0) return createFixtureFor(manager, operation)
  const undone = await manager.post(fixture.fill(`${itemPath(operation.path)}/${undo}`), body)
  assert.equal(undone.status, 200, undone.text)
  return fixture
}

/** A body that can be sent repeatedly: unique values are replaced. */
function withUniqueValues(body: Json, index: number): Json {
  if (body?.code === 'WEIR') return { ...body, code: `W${index}` }
  return body?.email === 'mara.lindqvist@example.com' ? { ...body, email: null } : body
}

/** Fields that only a create operation accepts. */
const createOnly = new Set(['member_user_ids', 'expires_in_days'])

/** The fields a caller can set on this type. */
function settableFields({ path, body }: Operation): Set<string> {
  if (path.endsWith('/close')) return new Set(Object.keys(body?.properties ?? {}))
  const noun = path.split('/').findLast((part) => Object.hasOwn(operations, part))
  if (noun === 'workspace') return new Set(['name', 'time_zone'])
  // Entries have a further field in the response. The comparison with GET covers them.
  if (noun === 'access') return new Set()
  // The cast holds because every updatable type has a create operation.
  const { create } =
    operations[noun as 'risks' | 'issues' | 'tasks' | 'projects' | 'personnel' | 'groups' | 'keys']
  return new Set(Object.keys(create.body.properties).filter((name) => !createOnly.has(name)))
}

type Fields = Readonly<Record<string, Json>>

/**
 * The expected value in the response: tags are sorted, a rating has a score, and a patch is merged.
 */
function expected(field: string, given: Json, before: Fields | null): Json {
  if (given === null) return null
  if (field === 'tags' || field === 'lead_user_ids') return given.toSorted()
  if (field === 'metadata' && before) {
    const merged = Object.entries({ ...before['metadata'], ...given })
    return Object.fromEntries(merged.filter(([, value]) => value !== null))
  }
  if (field !== 'inherent' && field !== 'target') return given
  const rating = { ...(field === 'target' && { due_on: null }), ...before?.[field], ...given }
  return { ...rating, score: rating.likelihood * rating.impact }
}

const inAcceptance = new Set(['accepted_by_user_id', 'expires_on', 'rationale'])

interface Accepted {
  readonly input: Fields
  readonly thing: Json
  /** The path to view it. */
  readonly place: string
}

/** Each item in the response with the input for it. */
function acceptedIn(
  { path, rows }: Operation,
  fixture: Fixture,
  { sent, reply }: { sent: string; reply: Reply },
): Accepted[] {
  const input = JSON.parse(sent)
  if (rows === undefined) {
    const place = reply.headers.get('location') ?? fixture.fill(itemPath(path))
    const thing = reply.body.risk ?? reply.body.person ?? reply.body
    return 'id' in thing ? [{ input, thing, place }] : []
  }
  return reply.body.data.map((thing: Json, index: number) => {
    const list = path.replace(/projects\/(?=[a-z]+\/)/, `projects/${thing.project_id}/`)
    const place = fixture.fill(list).replace('batch', thing.id)
    return { input: input.data[index], thing, place }
  })
}

interface Stored {
  readonly input: Fields
  readonly back: Fields
  /** The state before a merge patch; null when the input is not merged. */
  readonly before: Fields | null
  readonly fields: ReadonlySet<string>
}

function assertStored({ input, back, before, fields }: Stored): void {
  const shown = JSON.stringify(input).slice(0, 300)
  for (const [field, given] of Object.entries(input)) {
    if (inAcceptance.has(field)) assert.deepEqual(back['acceptance']?.[field], given, shown)
    else if (fields.has(field)) {
      assert.deepEqual(back[field], expected(field, given, before), `${field} of ${shown}`)
    }
  }
}

interface Note {
  readonly place: string
  readonly note: string
}

/** Asserts that notes are in the history of an item, in order. */
async function assertNotesInHistory({ events = [] }: Operation, notes: Note[]): Promise<void> {
  for (const [place, all] of Map.groupBy(notes, (each) => each.place)) {
    const { body } = await manager.get(`${place}/history`)
    const noted = body.data.filter(({ type, note }: Json) => note !== null && events.includes(type))
    assert.deepEqual(
      noted.map(({ note }: Json) => note),
      all.map(({ note }) => note),
    )
  }
}

const text = (value: string) => Buffer.from(value)
const inName = (bytes: Buffer) => Buffer.concat([text('{"name":"'), bytes, text('"}')])

const notJson: Readonly<Record<string, Buffer>> = {
  'whitespace alone': text(' \n'),
  'not JSON': text('{'),
  'a duplicate member': text('{"name":"a","name":"b"}'),
  'a duplicate member with an escape': text('{"name":"a","n\\u0061me":"b"}'),
  'a nested duplicate member': text('{"name":"a","metadata":{"k":"1","k":"2"}}'),
  'a duplicate member in a row': text('{"data":[{"title":"a","title":"b"}]}'),
  'an infinite number': text('{"name":1e999}'),
  'an integer beyond 2^53': text('{"name":9007199254740993}'),
  'a NUL': text('{"name":"a\\u0000b"}'),
  'a lone high surrogate': text('{"name":"a\\ud800"}'),
  'a lone low surrogate': text('{"name":"\\udc00a"}'),
  'a member name with a lone surrogate': text('{"\\ud800":1}'),
  'a member named __proto__': text('{"name":"a","__proto__":{"x":1}}'),
  'a byte order mark': Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), text('{"name":"a"}')]),
  'a byte that is not UTF-8': inName(Buffer.of(0xff)),
  'an overlong encoding': inName(Buffer.of(0xc0, 0xaf)),
  'a surrogate in UTF-8': inName(Buffer.of(0xed, 0xa0, 0x80)),
  'nesting over the limit': text('['.repeat(33) + ']'.repeat(33)),
  'very deep nesting': text('['.repeat(60_000)),
  'a trailing comma': text('{"name":"a",}'),
  'two values': text('{"name":"a"}{}'),
  NaN: text('{"name":NaN}'),
}

for (const { name, operation } of writes) {
  const { method, path, rows, status } = operation

  test(`${name}: answers ${rounds} arbitrary bodies without 5xx, and stores accepted ones exactly (seed ${seed})`, async () => {
    let fixture = await createFixtureFor(manager, operation)
    const fields = settableFields(operation)
    const bodies = fc.sample(arbitraryBody(operation, fixture), { seed, numRuns: rounds })
    const isPatch = method === 'PATCH'
    let before = isPatch ? (await manager.get(fixture.fill(path))).body : null
    const notes: Note[] = []
    let accepted = 0
    for (const [index, body] of bodies.entries()) {
      const sent = JSON.stringify(withUniqueValues(body, index))
      const reply = await send(operation, fixture, sent)
      assertNo5xx(reply, operation, sent)
      if (reply.status !== status) continue
      accepted += 1
      for (const { input, thing, place } of acceptedIn(operation, fixture, { sent, reply })) {
        const { body: back } = await manager.get(place)
        const { secret: _, ...kept } = thing
        assert.deepEqual(back, kept)
        assertStored({ input, back, before, fields })
        before = isPatch ? back : null
        if ('note' in input) notes.push({ place, note: input['note'] })
      }
      fixture = await resetFixture(operation, fixture, accepted)
    }
    const isMixed = accepted > 1 && accepted < rounds
    assert.ok(isMixed || !areMany, `${accepted} of ${rounds} were accepted`)
    await assertNotesInHistory(operation, notes)
  })

  test(`${name}: refuses invalid JSON that JSON.parse accepts`, async () => {
    const required: readonly string[] = operation.body?.required ?? []
    const empty = required.length > 0 || method === 'PATCH' ? { 'an empty body': text('') } : {}
    for (const [what, body] of Object.entries({ ...notJson, ...empty })) {
      const reply = await send(operation, untouched, body)
      assert.equal(`${reply.status} ${reply.body?.code}`, '400 bad_json', what)
    }
    assert.equal(({} as Json).x, undefined, 'no prototype is changed')
  })

  test(`${name}: reports all field errors at once, without repeating the input`, async () => {
    const secret = 'hunter2hunter2'
    const names = Object.keys((rows ?? operation.body)?.properties ?? {})
    const wrong = Object.fromEntries(names.map((field) => [field, [[secret]]]))
    const all = { ...wrong, [secret.toUpperCase()]: 1 }
    const reply = await send(operation, untouched, JSON.stringify(rows ? { data: [all] } : all))
    assert.equal(reply.status, 422)
    const pointers = new Set(reply.body.errors.map(({ pointer }: Json) => pointer))
    assert.ok(pointers.size > names.length, `only ${[...pointers].join()}`)
    assert.ok(!reply.text.includes(secret))
  })

  test(`${name}: reports at most ${limits.errorsMax} field errors`, async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 1]))
    const body = rows ? { data: [many, many] } : many
    const reply = await send(operation, untouched, JSON.stringify(body))
    assert.equal(reply.status, 422)
    assert.equal(reply.body.errors.length, limits.errorsMax)
    // Required fields are missing too. Of a batch, the second row was not checked.
    const [, more] =
      /And (?:at least )?(\d+) more; the first 50 are listed\.$/.exec(reply.body.detail) ?? []
    assert.ok(Number(more) >= 199, reply.body.detail)
    assert.equal(/at least/.test(reply.body.detail), rows !== undefined)
  })
}

for (const { name, operation } of writes) {
  if (operation.method !== 'PATCH' || !('metadata' in (operation.body?.properties ?? {}))) continue
  test(`${name}: limits metadata across merges`, async () => {
    const fixture = await createFixtureFor(manager, operation)
    const patch = (first: string, length: number, value: string | null) => {
      const metadata = Array.from({ length }, (_, index) => [`${first}${index}`, value])
      return send(operation, fixture, JSON.stringify({ metadata: Object.fromEntries(metadata) }))
    }
    assert.equal((await patch('a', 50, 'x')).status, 200)
    const more = await patch('b', 1, 'x')
    assert.equal(`${more.status} ${more.body.code}`, '422 validation_failed')
    assert.equal((await patch('a', 20, null)).status, 200)
    const room = await patch('b', 20, 'x')
    assert.equal(Object.keys(room.body.metadata).length, 50)
  })
}

for (const { name, operation } of batches) {
  const headers = { 'content-type': 'text/csv' }

  test(`${name}: does not repeat an unreadable table in the refusal`, async () => {
    const secret = 'hunter2hunter2'
    const column = `title\r\n"${secret}"${secret}\r\n`
    const long = 'x'.repeat(5000)
    for (const body of [
      column,
      `title,${secret}\r\n"${secret}`,
      `${long}"${secret}`,
      `"\r${secret}`,
    ]) {
      const path = untouched.fill(operation.path)
      const reply = await manager.send('POST', path, { body, headers })
      assert.equal(`${reply.status} ${reply.body.code}`, '400 bad_csv')
      assert.ok(!reply.text.includes(secret), reply.text.slice(0, 300))
    }
  })

  test(`${name}: answers ${rounds} arbitrary tables without 5xx (seed ${seed})`, async () => {
    const fixture = await createFixtureFor(manager, operation)
    const tables = fc.sample(arbitraryTable(operation, fixture), { seed, numRuns: rounds })
    const codes = new Map<string, number>()
    for (const body of tables) {
      const reply = await manager.send('POST', fixture.fill(operation.path), { body, headers })
      assertNo5xx(reply, operation, body.toString())
      const code = reply.body.code ?? 'taken'
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    const all = ['bad_csv', 'taken', 'validation_failed']
    for (const code of codes.keys()) assert.ok(all.includes(code), code)
    assert.ok(codes.size === all.length || !areMany, [...codes.keys()].join())
  })

  test(`${name}: stores cells of an accepted table exactly, formulas included (seed ${seed})`, async () => {
    const fixture = await createFixtureFor(manager, operation)
    const given = fc.tuple(validRows(operation, fixture), delimiter)
    for (const [rows, between] of fc.sample(given, { seed, numRuns: rounds / 10 })) {
      const body = tableOf(rows, between)
      const reply = await manager.send('POST', fixture.fill(operation.path), { body, headers })
      assert.equal(reply.status, 200, `${reply.text} for ${body}`)
      assert.equal(reply.body.created, rows.length)
      for (const [place, input] of rows.entries()) {
        const back = reply.body.data[place]
        assertStored({ input, back, before: null, fields: settableFields(operation) })
      }
    }
  })
}

test('finds no drift after all requests', async () => {
  assert.deepEqual(await findDrift(host.sql), [])
})
