import assert from 'node:assert/strict'
import { test } from 'node:test'

import { countMoves, keepRows, type LoadedList, rowsOf } from '#data/row-changes.ts'
import { isAffected } from '#live/affected.ts'
import { createStreamParser } from '#live/event-stream.ts'
import { follow, type Message } from '#live/follow.ts'
import type { LiveChange, LiveChanges, Ending } from '#live/read-stream.ts'

const stream = [
  'retry: 3000\nid: a\n\n',
  ': heartbeat\n\n',
  'id: b\nevent: risk.reviewed\ndata: {"seq":1}\n\n',
  'id: c\n\n',
  'event: bye\ndata: {}\n\n',
].join('')

const messages = [
  { id: 'a', event: '', data: '' },
  { id: 'b', event: 'risk.reviewed', data: '{"seq":1}' },
  { id: 'c', event: '', data: '' },
  { id: null, event: 'bye', data: '{}' },
]

test('reads the messages of a stream', () => {
  const parse = createStreamParser()
  assert.deepEqual(parse(stream), messages)
})

for (const lineEnd of ['\n', '\r\n', '\r']) {
  test(`reads a stream in parts of any length, with ${JSON.stringify(lineEnd)}`, () => {
    const text = stream.replaceAll('\n', lineEnd)
    for (let length = 1; length <= text.length; length++) {
      const parse = createStreamParser()
      const parts = Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
        text.slice(at * length, (at + 1) * length),
      )
      const found = [...parts, lineEnd === '\r' ? '\r' : ''].flatMap(parse)
      assert.deepEqual(found, messages, `parts of ${length}`)
    }
  })
}

test('joins lines of data, and keeps colons and spaces of values', () => {
  const parse = createStreamParser()
  assert.deepEqual(parse('data: one: 1\ndata:  two\ndata\nid:x\n\n'), [
    { id: 'x', event: '', data: 'one: 1\n two\n' },
  ])
})

const changes = (position: string): LiveChanges => ({ position, changes: [] })

/** Follows streams that end like this; the last one stops. */
async function followed(position: string | null, endings: readonly Ending[]) {
  const [asked, waits, heard]: [string[], number[], Message[]] = [[], [], []]
  let answers = 0
  await follow({
    position,
    signal: new AbortController().signal,
    read: async (after, onChanges) => {
      asked.push(after)
      const ending = endings[asked.length - 1] ?? 'unsupported'
      if (ending === 'bye') onChanges(changes(`p${asked.length}`))
      return ending
    },
    wait: async (ms) => void waits.push(ms),
    untilAnswered: async () => void answers++,
    onMessage: (message) => heard.push(message),
  })
  return { asked, waits, heard, answers }
}

test('continues after the last position when the process stops', async () => {
  const { asked, waits, heard } = await followed('p0', ['bye', 'bye'])
  assert.deepEqual(asked, ['p0', 'p1', 'p2'])
  assert.ok(
    waits.every((ms) => ms >= 0 && ms <= 3000),
    waits.join(),
  )
  assert.deepEqual(
    heard.map(({ isReset }) => isReset),
    [false, false],
  )
})

test('waits from 1 s to 30 s after failures', async () => {
  const { asked, waits } = await followed(
    'p0',
    Array.from({ length: 9 }, () => 'failed' as const),
  )
  assert.deepEqual(new Set(asked), new Set(['p0']))
  assert.ok(
    waits.every((ms, at) => ms >= Math.min(15_000, 1000 * 2 ** at) && ms <= 30_000),
    waits.join(),
  )
})

test('begins again at the present position when its own is lost', async () => {
  const { asked, heard } = await followed('p0', ['lost', 'bye'])
  assert.deepEqual(asked, ['p0', 'now', 'p2'])
  assert.deepEqual(heard, [{ ...changes('p2'), isReset: true }])
})

test('does not ask again before the service answers the session', async () => {
  const { asked, waits, answers } = await followed('p0', ['refused'])
  assert.deepEqual([asked, waits, answers], [['p0', 'p0'], [], 1])
})

test('stops if the service has no stream', async () => {
  const { asked, waits } = await followed('p0', ['unsupported'])
  assert.deepEqual([asked, waits], [['p0'], []])
})

/** A list of one page, from the ids of its rows. */
const list = (ids: string, next_cursor: string | null = null): LoadedList => ({
  pages: [{ data: Array.from(ids, (id) => ({ id })), next_cursor }],
})

for (const [before, after, moves, next_cursor = null] of [
  ['abcd', 'abcd', 0],
  ['abcd', 'xabcd', 1],
  ['abcd', 'acd', 1],
  ['abcd', 'dabc', 1],
  ['abcd', 'bcda', 1],
  ['abcd', 'dcba', 3],
  ['abcd', 'xacd', 2],
  ['', 'ab', 2],
  ['ab', '', 2],
  ['abcd', 'xabc', 1, 'more'],
  ['abcd', 'acde', 1, 'more'],
  ['abcd', 'abce', 1, 'more'],
] as const) {
  const name = next_cursor === null ? 'all rows' : 'the first rows'
  test(`counts ${moves} for ${name}, ${before || 'none'} and then ${after || 'none'}`, () => {
    assert.equal(countMoves(list(before, next_cursor), list(after, next_cursor)), moves)
  })
}

test('keeps the rows where they are, with new values', () => {
  const row = (id: string, score: number) => ({ id, score })
  const before = { pages: [{ data: [row('a', 9), row('b', 4)], next_cursor: null }] }
  const after = { pages: [{ data: [row('c', 25), row('b', 16)], next_cursor: null }] }
  assert.deepEqual(rowsOf(keepRows(before, after)), [row('a', 9), row('b', 16)])
})

const change = (type: LiveChange['subject']['type'], id: string): LiveChange => ({
  type: 'risk.updated',
  subject: { type, id },
  request_id: null,
  changed: [],
})

for (const [queryKey, subject, isRead] of [
  [['risks', 'register', {}], change('risk', 'rsk_1'), true],
  [['risks', 'one', 'rsk_1'], change('risk', 'rsk_1'), true],
  [['risks', 'one', 'rsk_2'], change('risk', 'rsk_1'), false],
  [['risks', 'one', 'rsk_2'], change('project', 'prj_1'), true],
  [['risks', 'history', 'rsk_2', ['people']], change('risk', 'rsk_1'), false],
  [['personnel', 'work'], change('risk', 'rsk_1'), true],
  [['personnel', 'name', 'usr_1'], change('risk', 'rsk_1'), false],
  [['personnel', 'name', 'usr_1'], change('person', 'usr_1'), true],
  [['tasks', 'list', {}], change('risk', 'rsk_1'), false],
  [['groups', 'list', {}], change('task', 'tsk_1'), false],
] as const) {
  test(`${isRead ? 'reads' : 'does not read'} ${JSON.stringify(queryKey)} again for a ${subject.subject.type}`, () => {
    assert.equal(isAffected(queryKey, subject), isRead)
  })
}

test('ignores nouns that it does not know', () => {
  // The cast is that of an event of a later service.
  const later = change('meeting' as LiveChange['subject']['type'], 'mtg_1')
  assert.equal(isAffected(['risks', 'register'], later), false)
})
