import type { IncomingMessage } from 'node:http'

import { Failure } from '#domain/engine/failure'

import type { TrustedProxies } from './trusted-proxies.ts'

/** The maximum number of headers. Node silently drops further ones: a risk of request smuggling. */
export const headersMax = 1000

/**
 * Refuses requests that a proxy may parse differently than node. If a proxy sees one request where
 * node sees two, an attacker can smuggle the second one past the proxy (request smuggling).
 */
export function refuseSmuggling(request: IncomingMessage, proxies: TrustedProxies): void {
  if (request.rawHeaders.length > headersMax * 2) throw new Failure('headers_too_large')
  const violation = rules.find(({ isViolated }) => isViolated(request, proxies))
  if (violation) throw new Failure('bad_request', violation.detail)
}

interface SmugglingRule {
  readonly detail: string
  readonly isViolated: (request: IncomingMessage, proxies: TrustedProxies) => boolean
}

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const hostAndPort = /^(?:[\w.~-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Node joins the values of a header that was sent more than once. */
const lastOf = (values: string | string[]) => String(values).split(',').at(-1)?.trim() ?? ''

const rules: readonly SmugglingRule[] = [
  {
    // HTTP/0.9 has no headers, neither in requests nor in responses.
    detail: 'The request must be HTTP/1.1 or HTTP/1.0.',
    isViolated: ({ httpVersion }) => httpVersion !== '1.1' && httpVersion !== '1.0',
  },
  {
    detail: 'Send exactly one valid Host header.',
    isViolated: ({ httpVersion, headers, rawHeaders }) => {
      const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name))
      const isMissing = hosts.length === 0 && httpVersion === '1.1'
      const isValid = !headers.host || hostAndPort.test(headers.host)
      return isMissing || hosts.length > 1 || !isValid
    },
  },
  {
    // Pages print both. Fastify applies these headers only when the peer is a trusted proxy, and
    // takes the last value: the nearest proxy added it.
    detail: 'X-Forwarded-Host must be a valid host, and X-Forwarded-Proto must be http or https.',
    isViolated: (request, proxies) => {
      const { 'x-forwarded-host': hosts, 'x-forwarded-proto': protocols } = request.headers
      if ((!hosts && !protocols) || !proxies.haveSent(request)) return false
      const isHost = !hosts || hostAndPort.test(lastOf(hosts))
      return !isHost || !/^https?$/.test(lastOf(protocols || 'http'))
    },
  },
  {
    detail: 'Transfer-Encoding must be chunked, and is allowed in HTTP/1.1 only.',
    isViolated: ({ httpVersion, headers: { 'transfer-encoding': coding } }) =>
      coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked'),
  },
  {
    // A proxy that ignores such a body would parse it as the next request.
    detail: 'GET, HEAD, OPTIONS and TRACE requests must not have a body.',
    isViolated: ({ method = '', headers }) =>
      /^(GET|HEAD|OPTIONS|TRACE)$/.test(method) &&
      (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0),
  },
]
