import assert from 'node:assert/strict'

import {
  type Call,
  eventsSince,
  follow,
  isIdleAnswer,
  type Play,
  send,
} from './roster-model-play.ts'
import type { Command } from './roster-model.ts'

const requestIn = ({ reply }: Call) => reply.headers.get('request-id')

/**
 * What happened at once must be what could have happened in a row. The numbers tell in which order
 * the writes came; the model makes them again in that order, and must come to the same answers. Who
 * changed nothing, because it was refused, because it was so already or because it only looked,
 * must have been answered what was true at some moment between.
 */
async function explain(play: Play, calls: readonly Call[]): Promise<void> {
  const { world } = play
  const writes = Map.groupBy(await eventsSince(play, world.seq), ({ seq }) => seq)
  const writers = new Set([...writes.values()].map(([first]) => first?.request))
  const idle = new Set(calls.filter((call) => !writers.has(requestIn(call) ?? '')))
  const look = () => {
    for (const call of idle) if (isIdleAnswer(play, call)) idle.delete(call)
  }
  look()
  for (const [seq, events] of writes) {
    const call = calls.find((each) => requestIn(each) === events[0]?.request)
    assert.ok(call, `nobody asked for the write ${seq}`)
    follow(play, call, new Set(events.map(({ subject }) => subject)))
    assert.equal(world.seq, seq)
    look()
  }
  const unexplained = [...idle].map(({ command, reply }) => [command, reply.status, reply.text])
  assert.deepEqual(unexplained, [], 'these answers were never true')
}

/** Asks for all of it at once, and has the model explain the answers. */
export async function takeAtOnce(play: Play, commands: readonly Command[]): Promise<void> {
  const calls = await Promise.all(commands.map((command, turn) => send(play, command, turn)))
  await explain(play, calls)
}
