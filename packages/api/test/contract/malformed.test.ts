import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, limits, type Operation, operations } from '@muster/contract'
import * as fc from 'fast-check'

import type { Json, Reply } from './client.ts'
import { findDrift } from './drift.ts'
import { delimiter, goodRows, oddBody, oddTable, tableOf } from './odd.ts'
import { itemPath, type Scene, setScene, setSceneFor } from './scene.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
/** `malformed-requests.test.ts` sends as many again. */
const rounds = Number(process.env['ROUNDS'] ?? 250)

/** For what is refused before anything is looked at. */
const untouched = await setScene(manager)

const writes = everyOperation().filter(({ operation }) => operation.body)
const batches = writes.filter(({ operation }) => operation.rows)

const send = (operation: Operation, scene: Scene, body: string | Buffer) =>
  manager.send(operation.method, scene.fill(operation.path), { body })

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

/** What has to be done for an operation to have something to do once more. */
const undoing: Readonly<Record<string, [verb: string, body: object]>> = {
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

/** The scene as it was; or, now and then, another: a risk does not come true a hundred times. */
async function again(operation: Operation, scene: Scene, taken: number): Promise<Scene> {
  const verb = operation.path.split('/').at(-1) ?? ''
  const [undo, body] = undoing[verb] ?? []
  if (verb === 'rotate') return setSceneFor(manager, operation)
  if (undo === undefined) return scene
  if (taken % 50 === 0) return setSceneFor(manager, operation)
  const undone = await manager.post(scene.fill(`${itemPath(operation.path)}/${undo}`), body)
  assert.equal(undone.status, 200, undone.text)
  return scene
}

/** A body that can be sent after others like it: what only one can have is another each time. */
function distinct(body: Json, index: number): Json {
  if (body?.code === 'WEIR') return { ...body, code: `W${index}` }
  return body?.email === 'mara@example.com' ? { ...body, email: null } : body
}

/** What is said when a thing is made, and shown of it in another way. */
const onlySaid = new Set(['member_user_ids', 'expires_in_days'])

/** What a caller can say of a thing of this kind. */
function sayable({ path, body }: Operation): Set<string> {
  if (path.endsWith('/close')) return new Set(Object.keys(body?.properties ?? {}))
  const noun = path.split('/').findLast((part) => Object.hasOwn(operations, part))
  if (noun === 'workspace') return new Set(['name', 'time_zone'])
  // The cast holds because whatever can be changed can be made.
  const { create } =
    operations[noun as 'risks' | 'issues' | 'tasks' | 'projects' | 'personnel' | 'groups' | 'keys']
  return new Set(Object.keys(create.body.properties).filter((name) => !onlySaid.has(name)))
}

type Fields = Readonly<Record<string, Json>>

/** A field as it must come back: tags are sorted, a rating has a score, and a patch is merged. */
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

interface Taken {
  readonly said: Fields
  readonly thing: Json
  /** Where it can be viewed. */
  readonly place: string
}

/** What was said in a request, of each thing that was answered. */
function takenIn(
  { path, rows }: Operation,
  scene: Scene,
  { sent, reply }: { sent: string; reply: Reply },
): Taken[] {
  const said = JSON.parse(sent)
  if (rows === undefined) {
    const place = reply.headers.get('location') ?? scene.fill(itemPath(path))
    const thing = reply.body.risk ?? reply.body.person ?? reply.body
    return 'id' in thing ? [{ said, thing, place }] : []
  }
  return reply.body.data.map((thing: Json, index: number) => {
    const place = scene.fill(path).replace('batch', thing.id)
    return { said: said.data[index], thing, place }
  })
}

interface Back {
  readonly said: Fields
  readonly back: Fields
  /** As it was before a merge patch; null when what was said stands for itself. */
  readonly before: Fields | null
  readonly fields: ReadonlySet<string>
}

function assertBack({ said, back, before, fields }: Back): void {
  const shown = JSON.stringify(said).slice(0, 300)
  for (const [field, given] of Object.entries(said)) {
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

/** What was noted about a thing is in its history, and nowhere else. */
async function assertTold({ events = [] }: Operation, notes: Note[]): Promise<void> {
  for (const [place, all] of Map.groupBy(notes, (each) => each.place)) {
    const { body } = await manager.get(`${place}/history`)
    const told = body.data.filter(({ type, note }: Json) => note !== null && events.includes(type))
    assert.deepEqual(
      told.map(({ note }: Json) => note),
      all.map(({ note }) => note),
    )
  }
}

const text = (value: string) => Buffer.from(value)
const around = (odd: Buffer) => Buffer.concat([text('{"name":"'), odd, text('"}')])

const notJson: Readonly<Record<string, Buffer>> = {
  'blanks alone': text(' \n'),
  'not JSON': text('{'),
  'a member twice': text('{"name":"a","name":"b"}'),
  'a member twice, spelt differently': text('{"name":"a","n\\u0061me":"b"}'),
  'a member twice, deep inside': text('{"name":"a","metadata":{"k":"1","k":"2"}}'),
  'a member twice, in a row': text('{"data":[{"title":"a","title":"b"}]}'),
  'an infinite number': text('{"name":1e999}'),
  'an integer that cannot be kept': text('{"name":9007199254740993}'),
  'a NUL': text('{"name":"a\\u0000b"}'),
  'half a surrogate pair': text('{"name":"a\\ud800"}'),
  'the other half': text('{"name":"\\udc00a"}'),
  'a name with half a pair': text('{"\\ud800":1}'),
  'a member named __proto__': text('{"name":"a","__proto__":{"x":1}}'),
  'a byte order mark': Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), text('{"name":"a"}')]),
  'a byte that is not UTF-8': around(Buffer.of(0xff)),
  'an overlong encoding': around(Buffer.of(0xc0, 0xaf)),
  'a surrogate in UTF-8': around(Buffer.of(0xed, 0xa0, 0x80)),
  'a deep nest': text('['.repeat(33) + ']'.repeat(33)),
  'a very deep nest': text('['.repeat(60_000)),
  'a trailing comma': text('{"name":"a",}'),
  'two values': text('{"name":"a"}{}'),
  NaN: text('{"name":NaN}'),
}

for (const { name, operation } of writes) {
  const { method, path, rows, status } = operation

  test(`${name}: ${rounds} odd bodies, no 5xx, and what is taken comes back (seed ${seed})`, async () => {
    let scene = await setSceneFor(manager, operation)
    const fields = sayable(operation)
    const bodies = fc.sample(oddBody(operation, scene), { seed, numRuns: rounds })
    const isPatch = method === 'PATCH'
    let before = isPatch ? (await manager.get(scene.fill(path))).body : null
    const notes: Note[] = []
    let taken = 0
    for (const [index, body] of bodies.entries()) {
      const sent = JSON.stringify(distinct(body, index))
      const reply = await send(operation, scene, sent)
      assertNo5xx(reply, operation, sent)
      if (reply.status !== status) continue
      taken += 1
      for (const { said, thing, place } of takenIn(operation, scene, { sent, reply })) {
        const { body: back } = await manager.get(place)
        const { secret: _, ...kept } = thing
        assert.deepEqual(back, kept)
        assertBack({ said, back, before, fields })
        before = isPatch ? back : null
        if ('note' in said) notes.push({ place, note: said['note'] })
      }
      scene = await again(operation, scene, taken)
    }
    assert.ok(taken > 1 && taken < rounds, `${taken} of ${rounds} were taken`)
    await assertTold(operation, notes)
  })

  test(`${name}: what JSON.parse would let pass is refused`, async () => {
    const required: readonly string[] = operation.body?.required ?? []
    const empty = required.length > 0 || method === 'PATCH' ? { 'nothing at all': text('') } : {}
    for (const [what, body] of Object.entries({ ...notJson, ...empty })) {
      const reply = await send(operation, untouched, body)
      assert.equal(`${reply.status} ${reply.body?.code}`, '400 bad_json', what)
    }
    assert.equal(({} as Json).x, undefined, 'no prototype was touched')
  })

  test(`${name}: every flaw is told at once, without repeating what was sent`, async () => {
    const secret = 'hunter2hunter2'
    const names = Object.keys((rows ?? operation.body)?.properties ?? {})
    const wrong = Object.fromEntries(names.map((field) => [field, [[secret]]]))
    const all = { ...wrong, [secret.toUpperCase()]: 1 }
    const reply = await send(operation, untouched, JSON.stringify(rows ? { data: [all] } : all))
    assert.equal(reply.status, 422)
    const told = new Set(reply.body.errors.map(({ pointer }: Json) => pointer))
    assert.ok(told.size > names.length, `only of ${[...told].join()}`)
    assert.ok(!reply.text.includes(secret))
  })

  test(`${name}: at most ${limits.errorsMax} flaws are told`, async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 1]))
    const body = rows ? { data: [many, many] } : many
    const reply = await send(operation, untouched, JSON.stringify(body))
    assert.equal(reply.status, 422)
    assert.equal(reply.body.errors.length, limits.errorsMax)
  })
}

for (const { name, operation } of writes) {
  if (operation.method !== 'PATCH' || !('metadata' in (operation.body?.properties ?? {}))) continue
  test(`${name}: metadata does not outgrow its bound, merge by merge`, async () => {
    const scene = await setSceneFor(manager, operation)
    const patch = (first: string, length: number, value: string | null) => {
      const metadata = Array.from({ length }, (_, index) => [`${first}${index}`, value])
      return send(operation, scene, JSON.stringify({ metadata: Object.fromEntries(metadata) }))
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

  test(`${name}: a table that cannot be read is not repeated`, async () => {
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

  test(`${name}: ${rounds} odd tables, no 5xx (seed ${seed})`, async () => {
    const scene = await setSceneFor(manager, operation)
    const tables = fc.sample(oddTable(operation, scene), { seed, numRuns: rounds })
    const codes = new Map<string, number>()
    for (const body of tables) {
      const reply = await manager.send('POST', scene.fill(operation.path), { body, headers })
      assertNo5xx(reply, operation, body.toString())
      const code = reply.body.code ?? 'taken'
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    assert.deepEqual([...codes.keys()].toSorted(), ['bad_csv', 'taken', 'validation_failed'])
  })

  test(`${name}: what is taken from a table comes back, formula or not (seed ${seed})`, async () => {
    const scene = await setSceneFor(manager, operation)
    const given = fc.tuple(goodRows(operation, scene), delimiter)
    for (const [rows, between] of fc.sample(given, { seed, numRuns: rounds / 10 })) {
      const body = tableOf(rows, between)
      const reply = await manager.send('POST', scene.fill(operation.path), { body, headers })
      assert.equal(reply.status, 200, `${reply.text} for ${body}`)
      assert.equal(reply.body.created, rows.length)
      for (const [place, said] of rows.entries()) {
        const back = reply.body.data[place]
        assertBack({ said, back, before: null, fields: sayable(operation) })
      }
    }
  })
}

test('after all of this the database agrees with itself', async () => {
  assert.deepEqual(await findDrift(host.sql), [])
})
