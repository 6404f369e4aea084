import assert from 'node:assert/strict'

import { encodeId } from '#storage/id'

import type { Reply } from './client.ts'
import { follow, isIdleAnswer, newIdIn, type Play, send } from './model-play.ts'
import { flagged, plan } from './model-rules.ts'
import type { Command } from './model.ts'

/** Who asked for what, and what came of it. */
export interface Call {
  readonly command: Command
  readonly reply: Reply
}

interface Numbered {
  readonly seq: number
  readonly request: string | null
  readonly subjects: string[]
}

/** The writes since this number, in their order, with the requests they came from. */
async function writesSince({ stage, uuid }: Play, seq: number): Promise<Numbered[]> {
  const { rows } = await stage.host.sql.query(
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
 * What happened at once must be what could have happened in a row. The numbers tell in which order
 * the writes came; the model makes them again in that order, and must come to the same answers. Who
 * changed nothing, because it was refused or because it was so already, must have been answered
 * what was true at some moment between.
 */
async function explain(play: Play, calls: readonly Call[]): Promise<void> {
  const { world } = play
  const writes = await writesSince(play, world.seq)
  const writers = new Set(writes.map(({ request }) => request))
  const idle = new Set(calls.filter(({ reply }) => !writers.has(requestIn(reply))))
  const look = () => {
    for (const call of idle) {
      const outcome = plan(world, call.command, newIdIn(call.reply))
      if (isIdleAnswer(play, outcome, call.reply)) idle.delete(call)
    }
  }
  look()
  for (const { seq, request, subjects } of writes) {
    if (request === null) world.commit(flagged(world, subjects))
    else {
      const call = calls.find(({ reply }) => requestIn(reply) === request)
      assert.ok(call, `nobody asked for the write ${seq}`)
      follow(play, call.command, call.reply)
    }
    assert.equal(world.seq, seq)
    look()
  }
  const unexplained = [...idle].map(({ command, reply }) => [command, reply.status, reply.text])
  assert.deepEqual(unexplained, [], 'these answers were never true')
}

const requestIn = ({ headers }: Reply) => headers.get('request-id')

/** Asks for all of it at once, with something beside it, and has the model explain the answers. */
export async function takeAtOnce(
  play: Play,
  commands: readonly Command[],
  beside: (() => Promise<unknown>) | null = null,
): Promise<Call[]> {
  const [calls] = await Promise.all([
    Promise.all(commands.map(async (command) => ({ command, reply: await send(play, command) }))),
    beside?.(),
  ])
  await explain(play, calls)
  return calls
}
