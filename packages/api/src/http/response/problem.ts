import { problems, type ProblemName } from '@muster/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { Failure, failureOf } from '#domain/engine/failure'

import { traceIdIn } from './trace-context.ts'

/** The problems of errors that Fastify throws, by their code. */
const frameworkProblems: Record<string, ProblemName> = {
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** Sends any thrown error as a problem (RFC 9457). No other code does. */
export function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure = toFailure(thrown)
  const { status } = problems[failure.problem]
  if (status >= 500) {
    const err = failure.cause ?? thrown
    const trace_id = traceIdIn(request.traceparent)
    request.log.error({ request_id: request.id, trace_id, err }, failure.problem)
  }
  if (reply.sent) return reply
  for (const name of ['etag', 'link', 'content-encoding', 'content-location', 'vary'])
    reply.removeHeader(name)
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headersOf(failure) })
    .type('application/problem+json')
    .send(Buffer.from(JSON.stringify(problemBody(failure, request.id))))
}

function toFailure(thrown: unknown): Failure {
  const failure = failureOf(thrown)
  if (failure) return failure
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  return new Failure(frameworkProblems[code] ?? 'internal', undefined, { cause: thrown })
}

/** The body of a problem (RFC 9457), with the request id for support. */
export function problemBody({ problem, message, extras }: Failure, requestId: string) {
  const { status, title } = problems[problem]
  return {
    type: `/problems/${problem}`,
    title,
    status,
    code: problem,
    detail: message,
    request_id: requestId,
    ...extras,
  }
}

function headersOf({ problem, extras }: Failure): Record<string, string> {
  const { status, ...rest } = problems[problem]
  const seconds = Number(extras['retry_after'] ?? ('retryAfter' in rest ? rest.retryAfter : 0))
  const retry = seconds === 0 ? {} : { 'retry-after': String(seconds) }
  // The rest of an unread request must not be parsed as the next one.
  if (problem === 'request_timeout' || problem === 'bad_request') return { connection: 'close' }
  if (problem === 'method_not_allowed') return { allow: String(extras['allow']) }
  if (status === 401 || problem === 'insufficient_scope') {
    return { 'www-authenticate': challenge(problem, extras) }
  }
  return retry
}

/** RFC 6750: without a credential, the challenge names the scheme and no error. */
function challenge(problem: ProblemName, extras: Failure['extras']): string {
  const realm = 'Bearer realm="muster"'
  if (problem === 'missing_credentials') return realm
  if (problem !== 'insufficient_scope') return `${realm}, error="invalid_token"`
  return `${realm}, error="insufficient_scope", scope="${String(extras['required_scope'])}"`
}
