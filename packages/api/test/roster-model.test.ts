import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation } from '@muster/contract'
import * as fc from 'fast-check'

import { takeAtOnce } from './roster-model-at-once.ts'
import { commandOf } from './roster-model-commands.ts'
import {
  assertSame,
  follow,
  furnish,
  meet,
  newPlay,
  type Play,
  send,
  startStages,
  wait,
} from './roster-model-play.ts'
import { anyMoment, anyWish } from './roster-model-wishes.ts'
import { startHost } from './workspace.ts'

// A long run: RUNS=500 npm test -- packages/api/test/roster-model.test.ts; SEED=… repeats one.
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const usual = 50
const runs = Number(process.env['RUNS'] ?? usual)
const isLong = process.env['RUNS'] !== undefined
const patienceMs = 60_000

const host = await startHost()
const stage = await startStages(host)
const met: Play['met'] = new Map()
const played = { apart: 0, atOnce: 0 }

/** As many runs as there is time for, and as much time to make smaller what fails. */
async function check<T>(
  how: keyof typeof played,
  scenes: fc.Arbitrary<T>,
  act: (play: Play, scene: T) => Promise<void>,
): Promise<void> {
  let end = isLong ? Infinity : Date.now() + patienceMs
  const run = async (scene: T) => {
    const play = await newPlay(stage, met)
    await furnish(play)
    await act(play, scene)
    await assertSame(play)
    for (const { type } of play.world.events) meet(met, type)
    played[how] += 1
  }
  const property = fc.asyncProperty(scenes, async (scene) => {
    if (Date.now() >= end) return
    try {
      await run(scene)
    } catch (error) {
      if (end === Infinity) end = Date.now() + patienceMs
      throw error
    }
  })
  await fc.assert(property, { seed, numRuns: runs, unbiased: true })
}

test(`one caller at a time sees what the model says, step by step (seed ${seed})`, async (t) => {
  const steps = fc.array(anyWish, { minLength: 1, maxLength: 50, size: 'max' })
  await check('apart', steps, async (play, wishes) => {
    for (const [turn, wish] of wishes.entries()) {
      wait(play)
      const command = commandOf(play.world, wish)
      if (command) follow(play, await send(play, command, turn))
    }
  })
  t.diagnostic(`${played.apart} runs`)
})

test(`many callers at once see what some order of them explains (seed ${seed})`, async (t) => {
  const moments = fc.array(anyMoment, { minLength: 1, maxLength: 10, size: 'max' })
  await check('atOnce', moments, async (play, scene) => {
    for (const wishes of scene) {
      wait(play)
      await takeAtOnce(
        play,
        wishes.flatMap((wish) => commandOf(play.world, wish) ?? []),
      )
    }
  })
  t.diagnostic(`${played.atOnce} runs`)
})

/** What a few people cannot come to. */
const unmet = new Set<string>(['too_many_items'])

test('people and groups went through every step, and in a long run met every refusal', () => {
  const least = Math.min(played.apart, played.atOnce)
  const changing = everyOperation().filter(
    ({ name, operation }) => /^(personnel|groups)\./.test(name) && operation.method !== 'GET',
  )
  const steps = changing.flatMap(({ name, operation: { events = [] } }) => [
    `${name} done`,
    ...events.filter((type) => /^(person|group)\./.test(type)),
  ])
  const refusals = changing.flatMap(({ name, operation: { problems } }) =>
    problems.filter((problem) => !unmet.has(problem)).map((problem) => `${name} ${problem}`),
  )
  const wanted = [...(least >= usual / 2 ? steps : []), ...(least >= 5 * usual ? refusals : [])]
  const missed = wanted.filter((what) => !met.has(what))
  assert.deepEqual(missed, [])
})
