import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'

import { problems, type ProblemName } from '@muster/contract'

import { Failure } from '#domain/failure'
import { newRequestId } from '#domain/id'

import { problemBody } from './problem.ts'

const parserProblems: Record<string, ProblemName> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Answers what never became a request, because it is no HTTP or did not arrive in time. */
export function onClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { head, body } = rawProblem(parserProblems[error.code ?? ''] ?? 'bad_request')
  socket.end(`HTTP/1.1 ${head}\r\n\r\n${body}`)
}

/** Node answers an expectation it does not know by itself, and not with a problem. */
export function answerExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    const { head, body, headers } = rawProblem('expectation_failed')
    response.writeHead(Number(head.slice(0, 3)), headers).end(body)
    request.resume()
  })
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
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return { head: [`${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n'), body, headers }
}
