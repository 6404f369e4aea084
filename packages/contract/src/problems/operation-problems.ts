import { limits } from '#contract/limits'
import type { Operation } from '#contract/operation'
import { isScope } from '#contract/scopes'

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
  'person_not_active',
  'session_ended',
  'address_not_allowed',
  'workspace_suspended',
  'rate_limited',
] as const satisfies ProblemName[]

/** Problems of operations with a rule for sessions. */
const sessionProblems = {
  recent: ['reauthentication_required'],
  only: ['reauthentication_required', 'session_required'],
} as const satisfies Record<string, ProblemName[]>

/** Problems of operations that can make the rights of someone grow. */
export const growthProblems = [
  'beyond_your_rights',
  'reauthentication_required',
  'identity_unconfirmed',
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
    ...(isScope(scope) ? (['insufficient_scope'] as const) : []),
    ...(scope === 'person' ? (['not_a_person'] as const) : []),
    ...(operation.session === undefined ? [] : sessionProblems[operation.session]),
    ...(operation.body ? bodyProblems : []),
    ...(hasLargeBody(operation) ? (['too_many_large_bodies'] as const) : []),
    ...(operation.rows ? (['bad_csv'] as const) : []),
    ...(operation.method === 'GET' ? [] : writeProblems),
    ...(takesIfMatch(operation) ? preconditionProblems : []),
    ...operation.problems,
  ]
}

const hasLargeBody = ({ rows, bodyBytesMax = 0 }: Operation) =>
  rows !== undefined || bodyBytesMax > limits.bodyBytesMax

/**
 * Whether the operation changes one existing resource with a version, so that If-Match can guard
 * it. A change of such a resource has an event.
 */
export function takesIfMatch(operation: Operation): boolean {
  const { method, params, status, rows, events } = operation
  const isOfOne = params !== undefined || operation.isMergePatch === true
  const isVersioned = events !== undefined && method !== 'GET'
  return isVersioned && isOfOne && status === 200 && rows === undefined
}
