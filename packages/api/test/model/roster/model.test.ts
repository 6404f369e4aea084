import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation } from '@muster/contract'
import * as fc from 'fast-check'

import { requireVersions } from '#test/support/row-versions'
import { isLong, seed, size } from '#test/support/size'
import { startHost } from '#test/support/workspace'

import { commandOf } from './commands.ts'
import { runConcurrently } from './concurrent.ts'
import {
  assertMatchesModel,
  applyAndAssert,
  createInitialData,
  count,
  newModelRun,
  type ModelRun,
  send,
  startRosterFixture,
  advanceClock,
} from './model-run.ts'
import { arbitraryBatch, arbitraryTemplate } from './templates.ts'

// A long run: RUNS=500 npm test -- packages/api/test/model/roster/model.test.ts; SEED=… repeats a
// run.
const usual = 50
const runs = Number(process.env['RUNS'] ?? size(15, 250))
const isTimed = process.env['RUNS'] === undefined && !isLong
const timeLimitMs = 20_000

const host = await startHost()
await requireVersions(host.sql)
const fixture = await startRosterFixture(host)
const coverage: ModelRun['coverage'] = new Map()
const completed = { sequential: 0, concurrent: 0 }

/** As many runs as fit the time limit, and the same time again for shrinking. */
async function check<T>(
  how: keyof typeof completed,
  inputs: fc.Arbitrary<T>,
  act: (run: ModelRun, input: T) => Promise<void>,
): Promise<void> {
  let end = isTimed ? Date.now() + timeLimitMs : Infinity
  const runCase = async (input: T) => {
    const run = await newModelRun(fixture, coverage)
    await createInitialData(run)
    await act(run, input)
    await assertMatchesModel(run)
    for (const { type } of run.state.events) count(coverage, type)
    completed[how] += 1
  }
  const property = fc.asyncProperty(inputs, async (input) => {
    if (Date.now() >= end) return
    try {
      await runCase(input)
    } catch (error) {
      if (end === Infinity) end = Date.now() + timeLimitMs
      throw error
    }
  })
  await fc.assert(property, { seed, numRuns: runs, unbiased: true })
}

test(`agrees with the model for one caller at a time (seed ${seed})`, async (t) => {
  const steps = fc.array(arbitraryTemplate, { minLength: 1, maxLength: 50, size: 'max' })
  await check('sequential', steps, async (run, templates) => {
    for (const [turn, template] of templates.entries()) {
      advanceClock(run)
      const command = commandOf(run.state, template)
      if (command) applyAndAssert(run, await send(run, command, turn))
    }
  })
  t.diagnostic(`${completed.sequential} runs`)
})

test(`is serializable for concurrent callers (seed ${seed})`, async (t) => {
  const batches = fc.array(arbitraryBatch, { minLength: 1, maxLength: 10, size: 'max' })
  await check('concurrent', batches, async (run, input) => {
    for (const templates of input) {
      advanceClock(run)
      await runConcurrently(
        run,
        templates.flatMap((template) => commandOf(run.state, template) ?? []),
      )
    }
  })
  t.diagnostic(`${completed.concurrent} runs`)
})

/** Problems that a small workspace cannot reach. */
const unreachable = new Set<string>(['too_many_items'])

test('covers every operation and event, and in a long run every refusal', () => {
  const least = Math.min(completed.sequential, completed.concurrent)
  const changing = everyOperation().filter(
    ({ name, operation }) => /^(personnel|groups)\./.test(name) && operation.method !== 'GET',
  )
  const steps = changing.flatMap(({ name, operation: { events = [] } }) => [
    `${name} done`,
    ...events.filter((type) => /^(person|group)\./.test(type)),
  ])
  const refusals = changing.flatMap(({ name, operation: { problems } }) =>
    problems.filter((problem) => !unreachable.has(problem)).map((problem) => `${name} ${problem}`),
  )
  const wanted = [...(least >= usual / 2 ? steps : []), ...(least >= 5 * usual ? refusals : [])]
  const missed = wanted.filter((what) => !coverage.has(what))
  assert.deepEqual(missed, [])
})
