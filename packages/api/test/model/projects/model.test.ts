import { test } from 'node:test'

import * as fc from 'fast-check'

import { requireVersions } from '#test/support/row-versions'
import { isLong, seed, size } from '#test/support/size'
import { sweepDue } from '#test/support/sweep'
import { startHost } from '#test/support/workspace'

import { arbitraryTemplate, commandOf, type RequestTemplate } from './commands.ts'
import { runConcurrently } from './concurrent.ts'
import {
  assertMatchesModel,
  applyAndAssert,
  newModelRun,
  type ModelRun,
  send,
  startFixture,
  sweep,
  advanceClock,
} from './model-run.ts'

// A long run: RUNS=1000 npm test -- packages/api/test/model/projects/model.test.ts; SEED=… repeats
// a run.
const runs = Number(process.env['RUNS'] ?? size(10, 100))
const isTimed = process.env['RUNS'] === undefined && !isLong
const timeLimitMs = 15_000

const host = await startHost()
await requireVersions(host.sql)
const fixture = await startFixture(host)

/** As many runs as fit the time limit; shrinking uses the remaining time. */
async function check<T>(inputs: fc.Arbitrary<T>, run: (input: T) => Promise<void>): Promise<void> {
  const end = Date.now() + (isTimed ? timeLimitMs : Infinity)
  const property = fc.asyncProperty(inputs, async (input) => {
    if (Date.now() < end) await run(input)
  })
  await fc.assert(property, { seed, numRuns: runs })
}

const daySeconds = 86_400
const zone = fc.constantFrom('UTC', 'Asia/Tokyo', 'America/Los_Angeles')

/** A request, some days without requests, or a sweep. */
type Step = RequestTemplate | { readonly days: number } | 'sweep'

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 24, arbitrary: arbitraryTemplate },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map((days) => ({ days })) },
  { weight: 2, arbitrary: fc.constant('sweep' as const) },
)

async function runStep(run: ModelRun, next: Step): Promise<void> {
  advanceClock(run, 1)
  if (next === 'sweep') return sweep(run)
  if ('days' in next) return advanceClock(run, next.days * daySeconds)
  const command = commandOf(run.state, run.people, next)
  if (command) applyAndAssert(run, command, await send(run, command))
}

/** Creates some items of every type. */
async function createInitialData(run: ModelRun): Promise<void> {
  const ask = async (name: string, body: object, project_id = '') => {
    const command = { name, at: { project_id }, body: { ...body }, ifMatch: null }
    const reply = await send(run, command)
    applyAndAssert(run, command, reply)
    return reply.body.id
  }
  for (const code of ['DAM', 'BAY', 'LOCK']) {
    const project = await ask('projects.create', { code, name: code, risk_appetite: 12 })
    for (const impact of [1, 5]) {
      await ask('risks.create', { title: 'Uplift', likelihood: 4, impact }, project)
    }
    await ask('issues.create', { title: 'Crane', severity: 3 }, project)
    await ask('tasks.create', { title: 'Flush' }, project)
  }
}

test(`agrees with the model for one sequential caller (seed ${seed})`, async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 90, size: 'max' })
  await check(fc.record({ zone, steps }), async (input) => {
    await using run = await newModelRun(fixture, input.zone)
    await createInitialData(run)
    for (const next of input.steps) await runStep(run, next)
    await sweep(run)
    await assertMatchesModel(run)
  })
})

/** Few items, so that concurrent requests conflict. */
const conflictingTemplate = arbitraryTemplate.map((template) => ({
  ...template,
  item: template.item % 4,
}))

test(`is serializable for concurrent callers (seed ${seed})`, async () => {
  const round = fc.record({
    templates: fc.array(conflictingTemplate, { minLength: 2, maxLength: 8, size: 'max' }),
    days: fc.constantFrom(0, 0, 1, 3),
    isSwept: fc.boolean(),
  })
  const rounds = fc.array(round, { minLength: 1, maxLength: 10, size: 'max' })
  await check(fc.record({ zone, rounds }), async (input) => {
    await using run = await newModelRun(fixture, input.zone)
    await createInitialData(run)
    for (const { templates, days, isSwept } of input.rounds) {
      advanceClock(run, 1 + days * daySeconds)
      const commands = templates.flatMap(
        (template) => commandOf(run.state, run.people, template) ?? [],
      )
      await runConcurrently(run, commands, isSwept ? () => sweepDue(fixture.sweeper) : null)
    }
    advanceClock(run, 1)
    await sweep(run)
    await assertMatchesModel(run)
  })
})
