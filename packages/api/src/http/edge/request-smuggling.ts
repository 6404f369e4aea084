import type { IncomingMessage } from 'node:http'

import type { FastifyRequest } from 'fastify'

import { Failure } from '#domain/failure'

/** How many headers a request may have. Far beyond that, node drops the rest unseen. */
export const headersMax = 1000

/**
 * Refuses what node understands and others on the way may understand differently. Whoever reads
 * one request where another reads two can be made to answer what was not asked.
 */
export function refuseFraming(request: FastifyRequest): void {
  const { raw } = request
  if (raw.rawHeaders.length > headersMax * 2) throw new Failure('headers_too_large')
  const flaw = rules.find(({ isBroken }) => isBroken(raw, request))
  if (flaw) throw new Failure('bad_request', flaw.says)
}

interface Rule {
  readonly says: string
  /** `effective` has the host and the protocol after trusted X-Forwarded headers are applied. */
  readonly isBroken: (raw: IncomingMessage, effective: FastifyRequest) => boolean
}

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const hostAndPort = /^(?:[\w.~-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

const rules: readonly Rule[] = [
  {
    // Before 1.0 there are no headers, neither in what is asked nor in what is answered.
    says: 'The request must be HTTP/1.1 or HTTP/1.0.',
    isBroken: ({ httpVersion }) => httpVersion !== '1.1' && httpVersion !== '1.0',
  },
  {
    says: 'There must be one Host, and it must be the name of one.',
    isBroken: ({ httpVersion, headers, rawHeaders }) => {
      const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name))
      const isMissing = hosts.length === 0 && httpVersion === '1.1'
      const isValid = !headers.host || hostAndPort.test(headers.host)
      return isMissing || hosts.length > 1 || !isValid
    },
  },
  {
    // Pages print both. Fastify applies these headers only when the peer is a trusted proxy, and
    // takes the last value: the nearest proxy added it.
    says: 'X-Forwarded-Host must be a host, and X-Forwarded-Proto must be http or https.',
    isBroken: ({ headers }, { host, protocol }) =>
      (host !== (headers.host ?? '') && !hostAndPort.test(host)) || !/^https?$/.test(protocol),
  },
  {
    says: 'The body must come as it is, or in chunks.',
    isBroken: ({ httpVersion, headers: { 'transfer-encoding': coding } }) =>
      coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked'),
  },
  {
    // A proxy that does not count such a body takes it for the next request.
    says: 'A request that only reads has no body.',
    isBroken: ({ method = '', headers }) =>
      /^(GET|HEAD|OPTIONS|TRACE)$/.test(method) &&
      (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0),
  },
]
