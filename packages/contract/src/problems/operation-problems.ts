import type { Operation } from '#contract/operation'

import type { ProblemName } from './problems.ts'

const commonProblems = [
  'bad_request',
  'bad_header',
  'unknown_parameter',
  'not_acceptable',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal',
  'unavailable',
  'overloaded',
] as const satisfies ProblemName[]

const authenticationProblems = [
  'ambiguous_credentials',
  'key_in_url',
  'missing_credentials',
  'malformed_key',
  'unknown_key',
  'key_expired',
  'key_revoked',
  'session_ended',
  'address_not_allowed',
  'workspace_suspended',
  'rate_limited',
] as const satisfies ProblemName[]

const bodyProblems = [
  'bad_json',
  'expectation_failed',
  'validation_failed',
] as const satisfies ProblemName[]

/** Body problems also apply to writes without a body: the service checks an unexpected body. */
const writeProblems = [
  'body_too_large',
  'unsupported_media_type',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'commit_in_doubt',
] as const satisfies ProblemName[]

/** Problems of If-Match. */
const preconditionProblems = ['version_mismatch', 'weak_etag'] as const satisfies ProblemName[]

/** Every problem an operation can return: its own, and those of its input. */
export function problemsOf(operation: Operation): ProblemName[] {
  const { scope } = operation
  return [
    ...commonProblems,
    ...(operation.query ? (['invalid_parameter'] as const) : []),
    ...(scope === 'none' ? [] : authenticationProblems),
    ...(scope === 'none' || scope === 'any_key' ? [] : (['insufficient_scope'] as const)),
    ...(operation.body ? bodyProblems : []),
    ...(operation.rows ? (['bad_csv'] as const) : []),
    ...(operation.method === 'GET' ? [] : writeProblems),
    ...(takesIfMatch(operation) ? preconditionProblems : []),
    ...operation.problems,
  ]
}

/** Whether the operation changes one existing resource, so that If-Match can guard it. */
export function takesIfMatch(operation: Operation): boolean {
  const { method, params, status, rows } = operation
  const isOfOne = params !== undefined || operation.isMergePatch === true
  return method !== 'GET' && isOfOne && status === 200 && rows === undefined
}
