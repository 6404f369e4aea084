import assert from 'node:assert/strict'

import { encodeId } from '#storage/values/id'
import type { Reply } from '#test/support/client'

import { applyAndAssert, isValidWithoutWrite, newIdIn, type ModelRun, send } from './model-run.ts'
import type { Command } from './model.ts'
import { flagged, plan } from './rules.ts'

/** A command and the response to it. */
export interface Call {
  readonly command: Command
  readonly reply: Reply
}

interface Write {
  readonly seq: number
  readonly request: string | null
  readonly subjects: string[]
}

/** The writes after this sequence number, in order, with the requests that caused them. */
async function writesSince({ fixture, uuid }: ModelRun, seq: number): Promise<Write[]> {
  const { rows } = await fixture.host.sql.query(
    `select seq::int, max(request_id::text) as request,
       array_agg(subject_id::text order by position) as subjects, min(type) as type
     from events where workspace_id = $1 and seq > $2 group by seq order by seq`,
    [uuid, seq],
  )
  return rows.map(({ type, request, subjects, ...rest }) => ({
    ...rest,
    request: request && encodeId('req', request),
    subjects: subjects.map((id: string) => encodeId(type.startsWith('risk') ? 'rsk' : 'iss', id)),
  }))
}

/**
 * Concurrent requests must be serializable. Sequence numbers give the order of the writes; the
 * model repeats them in that order and must produce the same responses. The response to a request
 * without a write (refused or unchanged) must be correct at some point in that order.
 */
async function assertSerializable(run: ModelRun, calls: readonly Call[]): Promise<void> {
  const { state } = run
  const writes = await writesSince(run, state.seq)
  const writers = new Set(writes.map(({ request }) => request))
  const unwritten = new Set(calls.filter(({ reply }) => !writers.has(requestIn(reply))))
  const matchUnwritten = () => {
    for (const call of unwritten) {
      const outcome = plan(state, call.command, newIdIn(call.reply))
      if (isValidWithoutWrite(run, outcome, call.reply)) unwritten.delete(call)
    }
  }
  matchUnwritten()
  for (const { seq, request, subjects } of writes) {
    if (request === null) state.commit(flagged(state, subjects))
    else {
      const call = calls.find(({ reply }) => requestIn(reply) === request)
      assert.ok(call, `no request for the write ${seq}`)
      applyAndAssert(run, call.command, call.reply)
    }
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

const requestIn = ({ headers }: Reply) => headers.get('request-id')

/**
 * Sends all commands concurrently, beside other work, and checks the responses against the model.
 */
export async function runConcurrently(
  run: ModelRun,
  commands: readonly Command[],
  beside: (() => Promise<unknown>) | null = null,
): Promise<Call[]> {
  const [calls] = await Promise.all([
    Promise.all(commands.map(async (command) => ({ command, reply: await send(run, command) }))),
    beside?.(),
  ])
  await assertSerializable(run, calls)
  return calls
}
