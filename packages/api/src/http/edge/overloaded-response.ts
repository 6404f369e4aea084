import type { ServerResponse } from 'node:http'

import { problems } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { newRequestId } from '#domain/rules/id'
import { securityHeaders } from '#http/response/headers'
import { problemBody } from '#http/response/problem'
import { traceparentFor } from '#http/response/trace-context'

/** The body of a refusal is serialized once, because only the request id differs. */
const requestIdPlaceholder = newRequestId()
const template = JSON.stringify(problemBody(new Failure('overloaded'), requestIdPlaceholder))
const [beforeId = '', afterId = ''] = template.split(requestIdPlaceholder)
const headers = Object.entries({
  ...securityHeaders,
  'content-type': 'application/problem+json',
  'content-length': String(Buffer.byteLength(template)),
  'cache-control': 'no-store',
}).flat()

/** Responds with 503 `overloaded` and Retry-After. */
export function refuse(response: ServerResponse, seconds: number): void {
  const requestId = newRequestId()
  const traceparent = traceparentFor(response.req.headers['traceparent'])
  const ids = ['request-id', requestId, 'traceparent', traceparent]
  const perRequest = ['retry-after', String(seconds), ...ids]
  response
    .writeHead(problems.overloaded.status, [...headers, ...perRequest])
    .end(beforeId + requestId + afterId, 'latin1')
}
