import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import { problems, type ProblemName } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { newRequestId } from '#domain/rules/id'
import { securityHeaders } from '#http/response/headers'
import { problemBody } from '#http/response/problem'
import { traceparentFor } from '#http/response/trace-context'

import type { HttpExchange } from './admission.ts'
import { headersMax } from './request-smuggling.ts'

const parserProblems: Record<string, ProblemName> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

const latestExchange = new WeakMap<Socket, HttpExchange>()
const failedSockets = new WeakSet<Socket>()

/**
 * Responds to client errors: bytes that are not HTTP, and requests that did not arrive in time. A
 * response in progress belongs to an earlier request, so it is completed first.
 */
export function onClientError(error: Error & { code?: string }, socket: Socket): void {
  if (failedSockets.has(socket)) return
  failedSockets.add(socket)
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const problem = parserProblems[error.code ?? ''] ?? 'bad_request'
  const exchange = latestExchange.get(socket)
  if (exchange === undefined || isAwaitingResponse(exchange)) {
    writeProblem(socket, problem)
    return
  }
  const { request, response } = exchange
  // Bytes after `Connection: close`, or in a body that was already answered, get no response.
  const isSilent = !request.complete || error.code === 'HPE_CLOSED_CONNECTION'
  const finish = () => {
    if (isSilent || !socket.writable) socket.destroySoon()
    else writeProblem(socket, problem)
  }
  if (response.writableFinished) finish()
  else response.once('close', finish)
}

/** Whether the error is in the body of a request that has no response yet. */
const isAwaitingResponse = ({ request, response }: HttpExchange) =>
  !response.headersSent && !request.complete

/** How long the service waits until the client has read a problem and closed the connection. */
const lingerMs = 1000

/**
 * Sends a problem and closes the connection. A client that keeps its side open would otherwise keep
 * the memory of its request. Closing at once could discard the problem before the client reads it.
 */
function writeProblem(socket: Duplex, problem: ProblemName): void {
  const { head, body } = serializeProblem(problem)
  socket.end(`HTTP/1.1 ${head}\r\n\r\n${body}`)
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Refuses what node would otherwise answer without a problem body, or ignore. */
export function refuseUnsupported(server: Server): void {
  // Node silently drops headers beyond this number; `refuseSmuggling` refuses them first.
  server.maxHeadersCount = headersMax + 1
  server.prependListener('request', (request, response) => {
    latestExchange.set(request.socket, { request, response })
  })
  server.on('connect', (_request, socket) => {
    // Node no longer handles errors of this socket, and an unhandled one would end the process.
    socket.on('error', () => socket.destroy())
    writeProblem(socket, 'bad_request')
  })
  server.on('checkExpectation', (request, response) => {
    latestExchange.set(request.socket, { request, response })
    const { head, body, headers } = serializeProblem('expectation_failed')
    const traceparent = traceparentFor(request.headers['traceparent'])
    response.writeHead(Number(head.slice(0, 3)), { ...headers, traceparent }).end(body)
    request.resume()
  })
  // `keepRawBody` sends 100 Continue, once the request has passed all checks.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
}

function serializeProblem(problem: ProblemName) {
  const { status } = problems[problem]
  const requestId = newRequestId()
  const body = JSON.stringify(problemBody(new Failure(problem), requestId))
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'request-id': requestId,
    ...securityHeaders,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return { head: [`${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n'), body, headers }
}
