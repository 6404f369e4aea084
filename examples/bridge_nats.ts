// bridge_nats.ts
/** Copies the log of changes to a JetStream stream: BASE=… KEY=… NATS=… node bridge_nats.ts */
import { createClient, PositionLostError } from '@muster/client'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, headers } from '@nats-io/transport-node'

const { BASE: base = '', KEY: key = '', NATS: servers = '127.0.0.1:4222' } = process.env
const muster = createClient({ base, key })
const nats = await connect({ servers })
const log = jetstream(nats)
const { streams } = await jetstreamManager(nats)
const stream = { name: 'MUSTER', subjects: ['muster.>'] }
const { state } = await streams.info(stream.name).catch(() => streams.add(stream))

// The last message says where to continue, so the stream and the position cannot differ.
let lastSequence = state.last_seq
const last = lastSequence > 0 ? await streams.getMessage(stream.name, { seq: lastSequence }) : null
if (lastSequence > 0 && !last) throw new Error('The last message of the stream is gone.')
let after = last?.header.get('Muster-Position')

async function publish(type: string, position: string, body: { readonly id: string }) {
  const header = headers()
  header.set('Muster-Position', position)
  // JetStream drops a repeated id. It refuses a message if another program wrote in between.
  const options = { msgID: body.id, headers: header, expect: { lastSequence } }
  const { seq } = await log.publish(`muster.${type}`, JSON.stringify(body), options)
  lastSequence = seq
  after = position
}

for (;;) {
  try {
    for await (const event of muster.events.follow({ after })) {
      await publish(event.type, event.position, event)
    }
  } catch (error) {
    if (!(error instanceof PositionLostError)) throw error
    // Consumers learn it from the stream, in its place: see the guide.
    const { position: now } = await muster.events.list({ query: { after: 'now' } })
    const { reason, resumeAfter, resumeSeq: resume_seq } = error
    const position = resumeAfter ?? now
    const lost = { id: `lost-${position}`, reason, resume_seq }
    await publish('position_lost', position, lost)
  }
}
