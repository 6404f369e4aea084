import type { IncomingMessage } from 'node:http'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

import { Destinations } from './destinations.ts'
import { EgressError } from './egress-error.ts'
import { createResolve, type Resolve } from './resolve.ts'

/** SSRF protection: the time limits of one outgoing request, in milliseconds from its start. */
export const egressTimeouts = { connectMs: 2000, headersMs: 4000, totalMs: 5000 }

const responseBytesMax = 256 * 1024
/** The requests of a process in progress. Workspaces share them. */
export const egressPlacesMax = 50
/** One host does not get more requests at once, whichever workspaces configured it. */
const perHostMax = 10

/** The places for requests in progress, shared fairly: a slow host must not take all of them. */
interface EgressPlaces {
  /** Takes places for a workspace, or returns false. */
  take(workspaceId: string, amount: number): boolean
  giveBack(workspaceId: string, amount: number): void
}

export interface EgressOptions {
  /** The addresses, networks and host names that the operator allows (EGRESS_ALLOW). */
  readonly allow: readonly string[]
  /** Replaces DNS in tests. */
  readonly resolve?: Resolve
  readonly timeouts?: typeof egressTimeouts
}

interface EgressInit {
  /** The workspace that configured the destination. */
  readonly workspaceId: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams | Uint8Array | ArrayBuffer | null | undefined
  readonly signal?: AbortSignal | undefined
}

/** A request to a destination that a workspace configured. Like `fetch`, but without redirects. */
export type Egress = (url: string, init: EgressInit) => Promise<Response>

interface Outgoing {
  readonly url: URL
  readonly init: EgressInit
  readonly addresses: readonly string[]
  readonly timeouts: typeof egressTimeouts
  readonly signal: AbortSignal
}

/**
 * Creates the only way out of the process to an address that a workspace configured: protection
 * against server-side request forgery (SSRF). A name is resolved once, every address is checked,
 * and the connection goes to a checked address, so a second DNS response has no effect.
 */
export function createEgress(
  { allow, resolve, timeouts = egressTimeouts }: EgressOptions,
  places: EgressPlaces,
): Egress {
  const destinations = new Destinations(allow)
  const resolveHost = resolve ?? createResolve(destinations)
  const limiter = new Limiter(places)
  return async (text, init) => {
    const url = parseUrl(text)
    const leave = limiter.enter(init.workspaceId, url.hostname)
    const deadline = AbortSignal.timeout(timeouts.totalMs)
    const signal = init.signal ? AbortSignal.any([deadline, init.signal]) : deadline
    try {
      const addresses = await untilAborted(signal, addressesOf(url, destinations, resolveHost))
      return await send({ url, init, addresses, timeouts, signal })
    } catch (error) {
      throw egressErrorOf(error, url, signal)
    } finally {
      leave()
    }
  }
}

/** Limits the requests in progress: of all workspaces, of each, and to each host. */
class Limiter {
  readonly #places: EgressPlaces
  readonly #byHost = new Map<string, number>()

  constructor(places: EgressPlaces) {
    this.#places = places
  }

  /** Call the result when the request has ended. */
  enter(workspaceId: string, host: string): () => void {
    const ofHost = this.#byHost.get(host) ?? 0
    if (ofHost >= perHostMax || !this.#places.take(workspaceId, 1)) {
      throw new EgressError('busy', 'The service sends too many requests to other servers.')
    }
    this.#byHost.set(host, ofHost + 1)
    return () => {
      this.#places.giveBack(workspaceId, 1)
      const left = (this.#byHost.get(host) ?? 1) - 1
      if (left === 0) this.#byHost.delete(host)
      else this.#byHost.set(host, left)
    }
  }
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new EgressError('invalid_url', 'The URL is not valid.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new EgressError('invalid_url', 'The URL must begin with https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressError('invalid_url', 'The URL must have no user name and no password.')
  }
  return url
}

/** The addresses of a host, all of them checked. One refused address refuses the host. */
async function addressesOf(
  url: URL,
  destinations: Destinations,
  resolve: Resolve,
): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isNamed = destinations.isNamed(host)
  const isLiteral = isIP(host) !== 0
  if (!isLiteral && !isNamed && !destinations.isPublicName(host)) throw refusedAddress(url)
  const addresses = isLiteral ? [host] : await resolve(host)
  if (addresses.length === 0) {
    throw new EgressError('unknown_host', unreachable(url))
  }
  const isAllowed = isNamed || addresses.every((address) => destinations.isAllowed(address))
  if (isAllowed) return addresses
  if (url.protocol !== 'https:') {
    throw new EgressError('invalid_url', 'The URL must begin with https://.')
  }
  const isReachable = (address: string) =>
    destinations.isAllowed(address) || destinations.isPublic(address)
  if (!addresses.every(isReachable)) throw refusedAddress(url)
  return addresses
}

const refusedAddress = (url: URL) => new EgressError('refused_address', unreachable(url))

/**
 * One message for a name that does not exist and for one with an internal address: the difference
 * would show an administrator of a workspace which names the network of the operator has.
 */
const unreachable = ({ hostname }: URL) =>
  `The host ${hostname} does not exist, or is not on the internet. ` +
  'The operator can allow an internal host with EGRESS_ALLOW.'

async function send({ url, init, addresses, timeouts, signal }: Outgoing): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const client = url.protocol === 'https:' ? https : http
  const request = client.request(url, {
    // A new agent uses no proxy of the environment and no connection of another request.
    agent: new client.Agent({ keepAlive: false }),
    lookup: lookupIn(addresses),
    method: init.method ?? 'GET',
    headers: withoutHost(init.headers),
    rejectUnauthorized: true,
    signal,
  })
  const limit = (ms: number) =>
    setTimeout(() => request.destroy(new EgressError('timed_out', slow(url))), ms)
  const timers = { connect: limit(timeouts.connectMs), headers: limit(timeouts.headersMs) }
  request.once('socket', (socket) => {
    const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect'
    socket.once(connected, () => clearTimeout(timers.connect))
  })
  request.once('response', resolve)
  request.once('error', reject)
  request.end(bytesOf(init.body))
  try {
    const response = await promise
    clearTimeout(timers.headers)
    return responseOf(response, await readBody(response))
  } finally {
    clearTimeout(timers.connect)
    clearTimeout(timers.headers)
    request.destroy()
  }
}

/** Node asks for the addresses of the host when it connects, and gets the checked ones. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    const [{ address, family } = { address: '', family: 4 }] = all
    if (options.all) callback(null, all)
    else callback(null, address, family)
  }
}

/** The Host header and the name in the certificate are those of the URL. */
const withoutHost = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'host'))

function bytesOf(body: EgressInit['body']): string | Uint8Array | undefined {
  if (body === null || body === undefined) return undefined
  if (body instanceof URLSearchParams) return body.toString()
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body
}

async function readBody(response: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > responseBytesMax) {
      throw new EgressError('response_too_large', 'The response is too large.')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Status codes that have no body by definition. */
const bodyless = new Set([204, 205, 304])

function responseOf(response: IncomingMessage, body: Buffer<ArrayBuffer>): Response {
  const { statusCode: status = 0, headersDistinct } = response
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  try {
    return new Response(bodyless.has(status) ? null : body, { status, headers })
  } catch (cause) {
    throw new EgressError('invalid_response', 'The response is not valid HTTP.', cause)
  }
}

function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort))
}

const slow = ({ hostname }: URL) => `The host ${hostname} did not answer in time.`

/** Error codes of Node for a certificate that does not prove the host. */
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/

function egressErrorOf(error: unknown, url: URL, signal: AbortSignal): EgressError {
  if (error instanceof EgressError) return error
  if (signal.aborted) return new EgressError('timed_out', slow(url), error)
  const text = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (certificateCode.test(text)) {
    const message = `The certificate of ${url.hostname} is not trusted (${text}).`
    return new EgressError('untrusted_certificate', message, error)
  }
  if (text.startsWith('HPE_')) {
    return new EgressError('invalid_response', 'The response is not valid HTTP.', error)
  }
  const message = `A connection to ${url.hostname} was not possible.`
  return new EgressError('connection_failed', message, error)
}
