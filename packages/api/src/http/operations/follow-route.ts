import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'

import { limits, type Operation } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Principal } from '#domain/auth/authenticate'
import { inContractOrder } from '#domain/engine/contract-order'
import { Failure } from '#domain/engine/failure'
import { credentialIn } from '#http/auth/credential'
import { sendStream, streamType } from '#http/follow/event-stream'
import { Follower } from '#http/follow/follower'
import type { FollowedPage, FollowerPlace } from '#http/follow/followers'
import { SharedBytes } from '#http/follow/shared-bytes'
import { inputReader } from '#http/request/input'
import { chooseType } from '#http/request/negotiate'

import { resultRoute } from './result-route.ts'
import { callerOf, type OperationRoute } from './route.ts'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Query = Readonly<Record<string, unknown>>

/** When a client for whom there was no room to wait may ask again, in seconds. */
const retrySeconds = { full: '5', ending: '1' } as const

/** Responds with a page at once, with one that waited for the next event, or with a stream. */
export function followRoute(operation: Operation, route: OperationRoute) {
  const readInput = inputReader(operation)
  const respond = resultRoute(operation, route)
  const bytes = new SharedBytes((page) => Buffer.from(JSON.stringify(page)))
  const { followers } = route.dependencies
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { principal, headers, method } = request
    assert(principal, 'an operation requires authentication')
    const isStream = chooseType(headers, ['application/json', streamType]) === streamType
    const seconds = waitSecondsIn(headers)
    if (method === 'HEAD' || (!isStream && seconds === null)) return respond(request, reply)
    const { query } = await readInput(request)
    using place = followers.enter(principal, isStream ? 'stream' : 'wait')
    const follow = { operation, exchange: { request, reply }, principal, query, place }
    if (isStream) return await stream(route, follow)
    if (place === null) {
      reply.header('retry-after', retrySeconds[followers.isEnding ? 'ending' : 'full'])
      return await respond(request, reply)
    }
    reply.header('preference-applied', `wait=${seconds}`)
    const result = await waited(route, { ...follow, place }, Number(seconds))
    reply.headers({ 'cache-control': 'no-store' }).type('application/json')
    return await reply.send(bytes.of(result))
  }
}

interface Follow {
  readonly operation: Operation
  readonly exchange: Exchange
  readonly principal: Principal
  readonly query: Query
  readonly place: FollowerPlace | null
}

/** The preference `wait` (RFC 7240), at most 50 seconds; null without it. */
function waitSecondsIn({ prefer }: IncomingHttpHeaders): number | null {
  const found = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec([prefer].flat().join())
  const seconds = Number(found?.[1] ?? 0)
  return seconds === 0 ? null : Math.min(seconds, limits.waitSecondsMax)
}

/** A page with events, or after the time an empty one. While it waits, it holds no place. */
async function waited(
  route: OperationRoute,
  follow: Follow & { readonly place: FollowerPlace },
  seconds: number,
): Promise<FollowedPage> {
  const { exchange, query } = follow
  const until = performance.now() + seconds * 1000
  const follower = followerOf(route, follow)
  let page = await follower.first(afterIn(query))
  while (page.count === 0 && !page.has_more && !follower.isEnded) {
    const leftMs = until - performance.now()
    if (leftMs <= 0) break
    const empty = page
    const isChanged = await exchange.request.releaseDuring(() => follower.wait(empty, leftMs))
    page = await follower.next(empty, isChanged)
  }
  return page
}

async function stream(route: OperationRoute, follow: Follow): Promise<FastifyReply> {
  const { exchange, query, place } = follow
  const { headers } = exchange.request
  if (query['limit'] !== undefined) {
    throw new Failure('invalid_parameter', 'A stream has no `limit`: it does not end.')
  }
  if (place === null) throw new Failure('too_many_streams')
  const lastId = [headers['last-event-id']].flat()[0]
  const follower = followerOf(route, { ...follow, place })
  return sendStream(exchange, follower, lastId ?? afterIn(query))
}

// The cast holds because the query is validated.
const afterIn = (query: Query) => query['after'] as string | undefined

function followerOf(
  route: OperationRoute,
  { operation, exchange, principal, query, place }: Follow & { readonly place: FollowerPlace },
): Follower {
  const { request, reply } = exchange
  reply.raw.once('close', () => place.leave())
  const { followers, authenticator } = route.dependencies
  return new Follower(principal, {
    followers,
    place,
    authenticator,
    credential: credentialIn(request.raw),
    address: request.ip,
    query: { ...query, after: undefined },
    read: async (reader, after) => {
      const caller = callerOf(route, { request, principal: reader })
      const page = await route.handler(caller, { query: { ...query, after } })
      // The cast holds because the route is that of the events.
      return inContractOrder(operation.response, page) as FollowedPage
    },
  })
}
