import { oneRound } from './compare/round.ts'
import type { Traffic } from './compare/scenarios.ts'
import { prepareStage, type Stage, targetOf } from './compare/stage.ts'
import { startCurrent } from './compare/subject.ts'
import { size } from './size.ts'

/**
 * `npm run bench -- open-loop`: latency against load. Requests arrive at a fixed rate, whether or
 * not earlier ones are answered, and the time of each counts from when it was due. The rates are
 * parts of the most that a closed loop reaches.
 */
const seconds = Number(process.env['BENCH_SECONDS'] ?? size(2, 10))
const parts = [0.25, 0.5, 0.75, 0.9]
/** Enough connections that one is free whenever a request is due. */
const connections = 128

const print = (line: string) => process.stdout.write(`${line}\n`)

async function measure(name: string, traffic: Traffic, stage: Stage): Promise<void> {
  const target = await targetOf(traffic, stage)
  const { perSecond: peakPerSecond } = await oneRound(target, { connections: 32, seconds })
  print(`${name}: ${peakPerSecond.toFixed(0)}/s with 32 connections in a closed loop`)
  for (const part of parts) {
    const rate = peakPerSecond * part
    const { perSecond, p50, p99, failedPart } = await oneRound(target, {
      connections,
      seconds,
      rate,
    })
    print(
      `${(part * 100).toFixed(0).padStart(4)} %: ${perSecond.toFixed(0).padStart(6)}/s, ` +
        `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
        `${(failedPart * 100).toFixed(1)} % failed`,
    )
  }
}

await using service = await startCurrent()
const stage = await prepareStage(service, { workspaces: 1, longRows: null })
await measure('repeated page', 'page', stage)
await measure('uncached page', 'uncached-page', stage)
await measure('POST person', 'person', stage)
