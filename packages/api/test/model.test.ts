import { test } from 'node:test'

import * as fc from 'fast-check'

import { takeAtOnce } from './model-at-once.ts'
import { anyWish, commandOf, type Wish } from './model-commands.ts'
import {
  assertSame,
  follow,
  newPlay,
  type Play,
  send,
  startStage,
  sweep,
  wait,
} from './model-play.ts'
import { startHost } from './workspace.ts'

// A long run: RUNS=1000 npm test -- packages/api/test/model.test.ts; SEED=… repeats one.
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const runs = Number(process.env['RUNS'] ?? 20)
const isLong = process.env['RUNS'] !== undefined
const patienceMs = 20_000

const host = await startHost()
const stage = await startStage(host)

/** As many runs as there is time for; what fails is made smaller in the time that is left. */
async function check<T>(scenes: fc.Arbitrary<T>, play: (scene: T) => Promise<void>): Promise<void> {
  const end = Date.now() + (isLong ? Infinity : patienceMs)
  const property = fc.asyncProperty(scenes, async (scene) => {
    if (Date.now() < end) await play(scene)
  })
  await fc.assert(property, { seed, numRuns: runs })
}

const daySeconds = 86_400
const zone = fc.constantFrom('UTC', 'Asia/Tokyo', 'America/Los_Angeles')

/** What happens next: a request, some days in which nothing happens, or a sweep. */
type Step = Wish | { readonly days: number } | 'sweep'

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 24, arbitrary: anyWish },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map((days) => ({ days })) },
  { weight: 2, arbitrary: fc.constant('sweep' as const) },
)

async function take(play: Play, next: Step): Promise<void> {
  wait(play, 1)
  if (next === 'sweep') return sweep(play)
  if ('days' in next) return wait(play, next.days * daySeconds)
  const command = commandOf(play.world, play.people, next)
  if (command) follow(play, command, await send(play, command))
}

/** Some of everything, so that there is something to ask for. */
async function furnish(play: Play): Promise<void> {
  const ask = async (name: string, body: object, project_id = '') => {
    const command = { name, at: { project_id }, body: { ...body }, onlyIf: null }
    const reply = await send(play, command)
    follow(play, command, reply)
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

test(`one caller sees what the model says, step by step (seed ${seed})`, async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 90, size: 'max' })
  await check(fc.record({ zone, steps }), async (scene) => {
    await using play = await newPlay(stage, scene.zone)
    await furnish(play)
    for (const next of scene.steps) await take(play, next)
    await sweep(play)
    await assertSame(play)
  })
})

/** Few things, so that those who ask at once ask for the same. */
const quarrel = anyWish.map((wish) => ({ ...wish, item: wish.item % 4 }))

test(`many callers at once see what some order of them explains (seed ${seed})`, async () => {
  const moment = fc.record({
    wishes: fc.array(quarrel, { minLength: 2, maxLength: 8, size: 'max' }),
    days: fc.constantFrom(0, 0, 1, 3),
    isSwept: fc.boolean(),
  })
  const moments = fc.array(moment, { minLength: 1, maxLength: 10, size: 'max' })
  await check(fc.record({ zone, moments }), async (scene) => {
    await using play = await newPlay(stage, scene.zone)
    await furnish(play)
    for (const { wishes, days, isSwept } of scene.moments) {
      wait(play, 1 + days * daySeconds)
      const commands = wishes.flatMap((wish) => commandOf(play.world, play.people, wish) ?? [])
      await takeAtOnce(play, commands, isSwept ? () => stage.sweeper.sweep() : null)
    }
    wait(play, 1)
    await sweep(play)
    await assertSame(play)
  })
})
