import { quietRound } from './compare/interleave.ts'
import { isQuiet } from './compare/judge.ts'
import { earlyFailures } from './compare/plausible.ts'
import { describe, short } from './compare/report.ts'
import { oneRound, rateRound, warmUp } from './compare/round.ts'
import type { Traffic } from './compare/scenarios.ts'
import { prepareStage, type Stage, targetOf } from './compare/stage.ts'
import { startCurrent } from './compare/subject.ts'
import { size } from './size.ts'

/**
 * `npm run bench -- open-loop`: latency against load. Requests arrive at a fixed rate, whether or
 * not earlier ones are answered, and the time of each counts from when it was due. The rates are
 * parts of the most that a closed loop reaches. A failure far below that fails the benchmark, if
 * the round was quiet.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? size(2, 10))
const parts = [0.25, 0.5, 0.75, 0.9]
const tries = 5
/** Enough connections that one is free whenever a request is due. */
const connections = 128

const print = (line: string) => process.stdout.write(`${line}\n`)

async function measure(name: string, traffic: Traffic, stage: Stage): Promise<void> {
  const target = await targetOf(traffic, stage)
  await warmUp(target, 32)
  const { perSecond: peak } = await oneRound(target, { connections: 32, seconds })
  print(`${name}: ${short(peak)}/s with 32 connections in a closed loop`)
  for (const part of parts) {
    const rated = () => rateRound(target, { connections, seconds, rate: peak * part })
    const round = await quietRound(rated, tries)
    const { perSecond, p50, p99, failedPart } = round
    const figures = `${short(perSecond)}/s, p50 ${short(p50)} ms, p99 ${short(p99)} ms`
    const failed = `${short(failedPart * 100)} % failed${isQuiet(round) ? '' : ' (noisy)'}`
    print(`${(part * 100).toFixed(0).padStart(4)} %: ${figures}, ${failed}`)
    const wrong = isQuiet(round) ? earlyFailures([{ part, failedPart }]) : []
    for (const line of wrong) print(`Implausible: ${line}.`)
    if (wrong.length > 0) process.exitCode = 1
  }
}

for (const line of describe()) print(line)
await using service = await startCurrent()
const stage = await prepareStage(service)
await measure('repeated page', 'page', stage)
await measure('uncached page', 'cold-rows', stage)
await measure('POST person', 'person-spread', stage)
