import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'

import { problems, type ProblemName } from '@muster/contract'

import { Failure } from '#domain/failure'
import { newRequestId } from '#domain/id'

import { headersMax } from './framing.ts'
import { alwaysSent } from './headers.ts'
import { problemBody } from './problem.ts'

const parserProblems: Record<string, ProblemName> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const latest = new WeakMap<Socket, Exchange>()
const givenUp = new WeakSet<Socket>()

/**
 * Answers what never became a request, because it is no HTTP or did not arrive in time. An answer
 * that is under way is not cut into, and comes before this one: it is that of another request.
 */
export function onClientError(error: Error & { code?: string }, socket: Socket): void {
  if (givenUp.has(socket)) return
  givenUp.add(socket)
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const problem = parserProblems[error.code ?? ''] ?? 'bad_request'
  const exchange = latest.get(socket)
  if (exchange === undefined || isUnanswered(exchange)) {
    refuse(socket, problem)
    return
  }
  const { request, response } = exchange
  // What comes after `Connection: close`, or within a body that was answered, gets no answer.
  const isMute = !request.complete || error.code === 'HPE_CLOSED_CONNECTION'
  const end = () => {
    if (isMute || !socket.writable) socket.destroySoon()
    else refuse(socket, problem)
  }
  if (response.writableFinished) end()
  else response.once('close', end)
}

/** Whether what went wrong is in the body of a request that nobody has answered yet. */
const isUnanswered = ({ request, response }: Exchange) => !response.headersSent && !request.complete

function refuse(socket: Writable, problem: ProblemName): void {
  const { head, body } = rawProblem(problem)
  socket.end(`HTTP/1.1 ${head}\r\n\r\n${body}`)
}

/** What node would otherwise answer by itself, or pass over. */
export function answerOddities(server: Server): void {
  // Beyond this number node drops headers unseen; `refuseFraming` refuses them before that.
  server.maxHeadersCount = headersMax + 1
  server.prependListener('request', (request, response) => {
    latest.set(request.socket, { request, response })
  })
  server.on('connect', (_request, socket) => {
    // Node has let go of this socket: an error that nobody hears would end the process.
    socket.on('error', () => socket.destroy())
    refuse(socket, 'bad_request')
  })
  server.on('checkExpectation', (request, response) => {
    const { head, body, headers } = rawProblem('expectation_failed')
    response.writeHead(Number(head.slice(0, 3)), headers).end(body)
    request.resume()
  })
  // To go on is said when the body is wanted: see `takeBytes`.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
}

function rawProblem(problem: ProblemName) {
  const { status } = problems[problem]
  const requestId = newRequestId()
  const body = JSON.stringify(problemBody(new Failure(problem), requestId))
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'request-id': requestId,
    ...alwaysSent,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return { head: [`${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n'), body, headers }
}
