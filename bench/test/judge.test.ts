import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  type Control,
  type Costed,
  judge,
  noiseOf,
  refusalsOf,
  spreadOf,
  stateOf,
} from '#bench/compare/judge'
import { collapses, earlyFailures, impossibilities, speedUps } from '#bench/compare/plausible'
import type { Round } from '#bench/compare/round'
import { scenarios } from '#bench/compare/scenarios'

const quiet: Round = {
  perSecond: 1000,
  p50: 1,
  p99: 2,
  nodeUs: 100,
  postgresUs: 50,
  cpuUs: 150,
  foreignCores: 0.1,
  stolenPart: 0.01,
  failedPart: 0,
}
const control: Control = { bare: quiet, select: quiet }
const controlsAt = (...rates: readonly number[]) =>
  rates.map((perSecond): Control => ({ ...control, bare: { ...quiet, perSecond } }))
const five = [control, control, control, control, control]

test('the spread is the 90th percentile divided by the 10th', () => {
  assert.equal(spreadOf([100, 100, 100]), 1)
  assert.equal(spreadOf([100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200]), 190 / 110)
})

test('a state holds only if five rounds agree on it', () => {
  const goal = { atLeast: 0.5 }
  assert.equal(stateOf(goal, [0.5, 0.6, 0.6, 0.6, 0.7]), 'reached')
  assert.equal(stateOf(goal, [0.49, 0.6, 0.6, 0.6, 0.7]), 'unclear')
  assert.equal(stateOf(goal, [0.49, 0.4, 0.4, 0.4, 0.4]), 'missed')
  assert.equal(stateOf(goal, [0.6, 0.6, 0.6, 0.6]), 'unclear')
  assert.equal(stateOf({ atMost: 0.5 }, [0.5, 0.4, 0.4, 0.4, 0.4]), 'reached')
  assert.equal(stateOf({ atMost: 0.5 }, [0.51, 0.4, 0.4, 0.4, 0.4]), 'unclear')
})

test('a ratio is the median of the rounds, with the lowest and the highest', () => {
  const [scenario] = scenarios
  assert.ok(scenario)
  const rounds = [400, 500, 600, 500, 500].map((perSecond): Costed => ({
    ...quiet,
    perSecond,
    nodeCost: 1,
    postgresCost: 1,
  }))
  const reference = rounds.map((round) => ({ ...round, perSecond: 1000 }))
  const { ratio, lowest, highest, state } = judge(scenario, { subject: rounds, reference })
  assert.deepEqual(
    { ratio, lowest, highest, state },
    {
      ratio: 0.5,
      lowest: 0.4,
      highest: 0.6,
      state: 'unclear',
    },
  )
})

test('a quiet run has no noise', () => {
  assert.deepEqual(noiseOf([quiet], five), [])
})

test('a ratio of a noisy round is unclear', () => {
  const [scenario] = scenarios
  assert.ok(scenario)
  const round: Costed = { ...quiet, nodeCost: 1, postgresCost: 1 }
  const rounds = [round, round, round, round, round]
  assert.equal(judge(scenario, { subject: rounds, reference: rounds }).state, 'reached')
  const noisy = [...rounds.slice(1), { ...round, foreignCores: 1 }]
  assert.equal(judge(scenario, { subject: rounds, reference: noisy }).state, 'unclear')
})

for (const [what, rounds, controls, expected] of [
  ['a control that spreads', [quiet], controlsAt(100, 100, 100, 120, 120), /control "bare" spread/],
  ['other processes', [{ ...quiet, foreignCores: 0.16 }], five, /others used 0\.16 cores/],
  ['time that the host took', [{ ...quiet, stolenPart: 0.021 }], five, /the host took 2\.1 %/],
  [
    'other processes during a control',
    [quiet],
    [{ ...control, select: { ...quiet, foreignCores: 1 } }, ...five],
    /others used 1\.00 cores/,
  ],
] as const) {
  test(`${what}: the run is noisy`, () => {
    const noise = noiseOf(rounds, controls)
    assert.equal(noise.length, 1)
    assert.match(noise[0] ?? '', expected)
  })
}

test('a refusal in a quiet round is a failure of the service', () => {
  const round: Costed = { ...quiet, nodeCost: 1, postgresCost: 1 }
  const refused = { ...round, failedPart: 0.5 }
  const refusals = (subject: Costed) =>
    refusalsOf('page', { subject: [subject], reference: [round] })
  assert.deepEqual(refusals(round), [])
  assert.equal(refusals(refused)[0]?.isQuiet, true)
  assert.equal(refusals({ ...refused, foreignCores: 1 })[0]?.isQuiet, false)
  assert.match(refusals(refused)[0]?.text ?? '', /page: 50\.0 % of the requests/)
})

const seen = { name: 'page', connections: 32, perSecond: 1000, p50: 1, p99: 2, cpuUs: 1000 }

test('plausible figures pass', () => {
  const more = { ...seen, connections: 256, perSecond: 501 }
  assert.deepEqual([...impossibilities([seen, more], 2), ...collapses([seen, more])], [])
})

for (const [what, figure, expected] of [
  ['a p99 below the p50', { ...seen, p99: 0.9 }, /p99 0\.9 ms is below p50/],
  ['more CPU time than the cores have', { ...seen, cpuUs: 2200 }, /2\.20 cores were used/],
  ['no request', { ...seen, perSecond: 0 }, /nothing was measured/],
  ['a figure that is no number', { ...seen, p99: NaN }, /is below p50/],
  ['a CPU time that is no number', { ...seen, cpuUs: NaN }, /NaN cores were used/],
] as const) {
  test(`${what} is impossible`, () => {
    assert.match(impossibilities([figure], 2).join(), expected)
  })
}

test('throughput that collapses with more connections is implausible', () => {
  const [found, ...others] = collapses([{ ...seen, connections: 256, perSecond: 499 }, seen])
  assert.match(found ?? '', /499\/s at 256 connections, 1000\/s at 32/)
  assert.deepEqual(others, [])
  const other = { ...seen, name: '304', connections: 256, perSecond: 1 }
  assert.deepEqual(collapses([seen, other]), [])
})

test('throughput that rises with more rows is implausible', () => {
  const points = [
    { amount: 1000, perSecond: 126 },
    { amount: 1_000_000, perSecond: 287 },
  ]
  assert.match(speedUps('rows', points).join(), /1000000 rows are faster than 1000: 287\/s, 126\/s/)
  assert.deepEqual(speedUps('rows', points.toReversed()).length, 1)
  assert.deepEqual(
    speedUps('rows', [
      { amount: 1, perSecond: 287 },
      { amount: 2, perSecond: 126 },
    ]),
    [],
  )
})

test('a failure far below the highest load is implausible', () => {
  assert.match(earlyFailures([{ part: 0.5, failedPart: 0.001 }]).join(), /0\.10 % failed at 50 %/)
  const fine = [
    { part: 0.5, failedPart: 0 },
    { part: 0.75, failedPart: 0.4 },
  ]
  assert.deepEqual(earlyFailures(fine), [])
})
