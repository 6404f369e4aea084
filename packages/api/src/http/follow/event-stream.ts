import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { Failure, failureOf } from '#domain/engine/failure'
import { problemBody } from '#http/response/problem'

import type { Follower } from './follower.ts'
import type { FollowedPage } from './followers.ts'
import { SharedBytes } from './shared-bytes.ts'

/** A stream of events has the form of server-sent events. */
export const streamType = 'text/event-stream'

/** A client that reads nothing for this long is disconnected. It continues by its last id. */
const stalledMs = 30_000

const heartbeat = Buffer.from(': heartbeat\n\n')
const bye = 'event: bye\ndata: {}\n\n'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Sends a stream of events as they happen, until the client or the process ends. */
export async function sendStream(
  { request, reply }: Exchange,
  follower: Follower,
  after: string | undefined,
): Promise<FastifyReply> {
  const first = await follower.first(after)
  const { raw } = reply
  reply.hijack()
  reply.headers({ 'content-type': streamType, 'cache-control': 'no-store' })
  reply.header('x-accel-buffering', 'no')
  // The cast holds because Fastify stores the headers in the form that node expects.
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  try {
    await sendPages({ request, reply }, follower, first)
    raw.write(bye)
  } catch (error) {
    const failure = failureOf(error) ?? new Failure('internal', undefined, { cause: error })
    if (failure.problem === 'internal') request.log.error({ err: error }, 'a stream ended')
    raw.write(messageOf({ event: 'end', data: problemBody(failure, request.id) }))
  }
  raw.end()
  return reply
}

/** While it writes and waits, the request holds no place. */
async function sendPages(
  { request, reply: { raw } }: Exchange,
  follower: Follower,
  first: FollowedPage,
): Promise<void> {
  let page = first
  raw.write('retry: 3000\n')
  let bytes = messages.of(page)
  while (!follower.isEnded) {
    const isChanged = await request.releaseDuring(async () => {
      await write(raw, bytes)
      return page.has_more || follower.wait(page)
    })
    if (follower.isEnded) return
    const next = await follower.next(page, isChanged)
    bytes = next.position === page.position ? heartbeat : messages.of(next)
    page = next
  }
}

/** The events of a page, and its position if that is not the position of the last event. */
const messages = new SharedBytes(({ data, position }) => {
  const texts = data.map((event) =>
    messageOf({ id: event.position, event: event.type, data: event }),
  )
  if (data.at(-1)?.position !== position) texts.push(`id: ${position}\n\n`)
  return Buffer.from(texts.join(''))
})

interface Message {
  readonly id?: string
  readonly event: string
  readonly data: object
}

const messageOf = ({ id, event, data }: Message): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Resolves when there is room for more. */
function write(raw: ServerResponse, bytes: Buffer): Promise<void> {
  if (raw.write(bytes) || raw.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => raw.destroy(), stalledMs)
    const end = () => {
      clearTimeout(timer)
      raw.off('drain', end).off('close', end)
      resolve()
    }
    raw.once('drain', end).once('close', end)
  })
}
