/** The checks that come before authentication: they need neither a caller nor a query. */

import type { IncomingMessage } from 'node:http'

import { everyOperation, instead, limits, type Operation } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { pathOf } from '#http/request/query'

import type { Match } from './request-classifier.ts'
import { refuseSmuggling } from './request-smuggling.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

const patterns = everyOperation().map(({ operation }) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Refuses an ambiguous request, one without a route, and a key in the URL, in this order. */
export function checkRequest(
  request: IncomingMessage,
  match: Match | null,
  proxies: TrustedProxies,
): void {
  const { method, url = '' } = request
  refuseSmuggling(request, proxies)
  if (url.length > limits.urlBytesMax) throw new Failure('uri_too_long')
  // `/v1/personnel/` matches the route of one person, with an empty id. It must be 404.
  if (match === null || method === 'OPTIONS' || match.hasEmptyParameter) refuseRoute(request)
  const isOperation = match.config.scope !== undefined
  if (isOperation && url.includes('muster_key_')) throw new Failure('key_in_url')
}

/** Responds with 405 to a known path with another method, and with 404 to any other. */
function refuseRoute({ method, url = '' }: IncomingMessage): never {
  const path = pathOf(url)
  const known = patterns.filter(({ pattern }) => pattern.test(path)).map((each) => each.operation)
  const allowed = known.flatMap(methodsOf)
  if (allowed.length === 0) throw new Failure('route_not_found')
  const allow = allowed.join(', ')
  const advice = known.map((each) => instead[`${method} ${each.path}`]).find(Boolean)
  const detail = [`${known[0]?.path} allows ${allow}.`, advice].filter(Boolean).join(' ')
  throw new Failure('method_not_allowed', detail, { allow })
}

const methodsOf = ({ method }: Operation) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
