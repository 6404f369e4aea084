import assert from 'node:assert/strict'

import {
  type Call,
  eventsSince,
  applyAndAssert,
  isValidWithoutWrite,
  type ModelRun,
  send,
} from './model-run.ts'
import type { Command } from './model.ts'

const requestIn = ({ reply }: Call) => reply.headers.get('request-id')

/**
 * Concurrent requests must be serializable. Sequence numbers give the order of the writes; the
 * model repeats them in that order and must produce the same responses. The response to a request
 * without a write (refused, unchanged or a read) must be correct at some point in that order.
 */
async function assertSerializable(run: ModelRun, calls: readonly Call[]): Promise<void> {
  const { state } = run
  const writes = Map.groupBy(await eventsSince(run, state.seq), ({ seq }) => seq)
  const writers = new Set([...writes.values()].map(([first]) => first?.request))
  const unwritten = new Set(calls.filter((call) => !writers.has(requestIn(call) ?? '')))
  const matchUnwritten = () => {
    for (const call of unwritten) if (isValidWithoutWrite(run, call)) unwritten.delete(call)
  }
  matchUnwritten()
  for (const [seq, events] of writes) {
    const call = calls.find((each) => requestIn(each) === events[0]?.request)
    assert.ok(call, `no request for the write ${seq}`)
    applyAndAssert(run, call, new Set(events.map(({ subject }) => subject)))
    assert.equal(state.seq, seq)
    matchUnwritten()
  }
  const unexplained = [...unwritten].map(({ command, reply }) => [
    command,
    reply.status,
    reply.text,
  ])
  assert.deepEqual(unexplained, [], 'responses that match no order')
}

/** Sends all commands concurrently, and checks the responses against the model. */
export async function runConcurrently(run: ModelRun, commands: readonly Command[]): Promise<void> {
  const calls = await Promise.all(commands.map((command, turn) => send(run, command, turn)))
  await assertSerializable(run, calls)
}
