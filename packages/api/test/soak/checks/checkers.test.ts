import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertHolds, type Verdict } from '#test/soak/verdict'

import { type Asked, checkCopies } from './copies.ts'
import { checkFlat } from './flat.ts'
import { checkNumbers, checkPolls, type Poll, type CommittedEvent } from './numbers.ts'
import { checkRegister, type State } from './register.ts'
import { checkWrites, type Ended, type StoredRow } from './writes.ts'

/** Asserts that a checker rejects histories with one fault. */
function assertRejected(
  cases: readonly (readonly [because: RegExp, verdict: Verdict, size: number])[],
) {
  for (const [because, verdict, size] of cases) {
    assert.match(verdict?.because ?? 'it holds', because)
    assert.equal(verdict?.example.length, size, 'the counterexample is minimal')
    assert.throws(() => assertHolds(verdict), because)
  }
}

test('detects a write that is lost, duplicated, refused but stored, or never acknowledged', () => {
  const ended: Ended[] = [
    { marker: 'a', rows: 1, version: 1 },
    { marker: 'b', rows: 2, version: 2 },
    { marker: 'c', rows: 1, version: null },
  ]
  const [a, b]: StoredRow[] = [
    { marker: 'a', version: 1 },
    { marker: 'b', version: 2 },
  ]
  assert.ok(a && b)
  assertHolds(checkWrites(ended, [a, b, b]))
  assertRejected([
    [/is lost/, checkWrites(ended, [b, b]), 1],
    [/is lost/, checkWrites(ended, [a, b]), 2],
    [/stored more than once/, checkWrites(ended, [a, a, b, b]), 3],
    [/refused, but is stored/, checkWrites(ended, [a, b, b, { marker: 'c', version: 3 }]), 2],
    [/another number/, checkWrites(ended, [{ marker: 'a', version: 9 }, b, b]), 2],
    [/never acknowledged/, checkWrites(ended, [a, b, b, { marker: 'd', version: 4 }]), 1],
  ])
})

test('detects sequence numbers with a gap, a duplicate or out of commit order', () => {
  const at = (seq: number, committedAt: number, position = 0): CommittedEvent => ({
    seq,
    position,
    committedAt,
  })
  assertHolds(checkNumbers([at(2, 20), at(1, 10), at(2, 20, 1), at(3, 30)], 3))
  assertHolds(checkNumbers([], 0))
  assertRejected([
    [/is missing between/, checkNumbers([at(1, 10), at(3, 30)], 3), 2],
    [/is missing between/, checkNumbers([at(2, 10)], 2), 2],
    [/assigned twice/, checkNumbers([at(1, 10), at(1, 10)], 1), 2],
    [/by two transactions/, checkNumbers([at(1, 10), at(1, 20, 1)], 1), 2],
    [/event of a write/, checkNumbers([at(1, 10), at(1, 10, 2)], 1), 2],
    [/first event/, checkNumbers([at(1, 10, 1)], 1), 2],
    [/committed first/, checkNumbers([at(1, 10), at(2, 9)], 2), 2],
    [/the last event has another number/, checkNumbers([at(1, 10)], 2), 1],
  ])
})

test('detects a change that appears below a number already read', () => {
  const poll = (asOf: number, versions: Record<string, number>): Poll => ({
    asOf,
    versions: new Map(Object.entries(versions)),
  })
  const first = poll(5, { a: 2, b: 5 })
  assertHolds(checkPolls([first, poll(5, { a: 2, b: 5 }), poll(8, { a: 6, b: 5, c: 8 })]))
  assertRejected([
    [/appeared below 5/, checkPolls([first, poll(8, { a: 2, b: 5, c: 4 })]), 2],
    [/appeared below 5/, checkPolls([first, poll(8, { a: 3, b: 5 })]), 2],
    [/later than 5/, checkPolls([poll(5, { a: 6 })]), 1],
    [/went back/, checkPolls([first, poll(4, { a: 2 })]), 2],
  ])
})

test('detects a stale copy that got 304', () => {
  const writes = [
    { at: 10, version: 3 },
    { at: 20, version: 4 },
  ]
  const asked = (at: number, held: number, answered: number | null): Asked => ({
    at,
    held,
    answered,
  })
  assertHolds(checkCopies(writes, [asked(5, 2, null), asked(15, 3, null), asked(25, 3, 4)]))
  assertHolds(checkCopies(writes, [asked(20, 3, null)]))
  assertRejected([
    [/got 304/, checkCopies(writes, [asked(15, 3, null), asked(21, 3, null)]), 2],
    [/got 304/, checkCopies(writes, [asked(11, 2, null)]), 2],
    [/older than/, checkCopies(writes, [asked(25, 2, 3)]), 2],
  ])
})

test('detects a register that is inconsistent, incomplete, too long or out of order', () => {
  const usual = { isLive: true, score: 4, impact: 2 }
  const states: State[] = [
    { ...usual, id: 'a', from: 1, to: 3 },
    { ...usual, id: 'a', from: 3, to: null, score: 20, impact: 5 },
    { ...usual, id: 'b', from: 2, to: null },
    { ...usual, id: 'c', from: 4, to: 5, isLive: false },
    { ...usual, id: 'd', from: 5, to: null, impact: 4 },
  ]
  const read = (asOf: number, ...rows: (readonly [string, number])[]) =>
    checkRegister(states, [{ asOf, rows }])
  assertHolds(read(2, ['a', 1], ['b', 2]))
  assertHolds(read(4, ['a', 3], ['b', 2]))
  assertHolds(read(5, ['a', 3], ['d', 5], ['b', 2]))
  assertRejected([
    [/place 2/, read(2, ['a', 1]), 2],
    [/place 3/, read(2, ['a', 1], ['b', 2], ['a', 1]), 2],
    [/place 1/, read(3, ['a', 1], ['b', 2]), 2],
    [/place 1/, read(2, ['b', 2], ['a', 1]), 2],
    [/place 2/, read(5, ['a', 3], ['b', 2], ['d', 5]), 2],
    [/place 3/, read(4, ['a', 3], ['b', 2], ['c', 4]), 2],
  ])
})

test('detects growth, but not fluctuation', () => {
  const samples = (value: (minute: number) => number) =>
    Array.from({ length: 60 }, (_, minute) => ({ minute, value: value(minute) }))
  const saw = (minute: number) => (minute % 5) * 10
  assertHolds(checkFlat(samples(saw), 0))
  assertHolds(
    checkFlat(
      samples((minute) => 500 - minute + saw(minute)),
      0,
    ),
  )
  assertHolds(
    checkFlat(
      samples((minute) => minute / 10),
      6,
    ),
  )
  assertRejected([
    [
      /It grew by/,
      checkFlat(
        samples((minute) => minute + saw(minute)),
        5,
      ),
      2,
    ],
    [
      /It grew by/,
      checkFlat(
        samples((minute) => minute / 10),
        5,
      ),
      2,
    ],
    [/too few/, checkFlat(samples(saw).slice(0, 3), 5), 3],
  ])
})
