import { isMergePatch, type Operation } from './operation.ts'
import type { ProblemName } from './problems.ts'

const always = [
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

const withKey = [
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

const withBody = [
  'bad_json',
  'expectation_failed',
  'validation_failed',
] as const satisfies ProblemName[]

/** Also of what takes no body: one that is sent is looked at before it is known to be too much. */
const withChange = [
  'body_too_large',
  'unsupported_media_type',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'commit_in_doubt',
] as const satisfies ProblemName[]

/** What exists already may have changed since it was read. */
const withPrecondition = ['version_mismatch', 'weak_etag'] as const satisfies ProblemName[]

/** Every refusal an operation can give: its own, and those that follow from what it takes. */
export function problemsOf(operation: Operation): ProblemName[] {
  const { scope } = operation
  return [
    ...always,
    ...(operation.query ? (['invalid_parameter'] as const) : []),
    ...(scope === 'none' ? [] : withKey),
    ...(scope === 'none' || scope === 'any_key' ? [] : (['insufficient_scope'] as const)),
    ...(operation.body ? withBody : []),
    ...(operation.rows ? (['bad_csv'] as const) : []),
    ...(operation.method === 'GET' ? [] : withChange),
    ...(takesIfMatch(operation) ? withPrecondition : []),
    ...operation.problems,
  ]
}

/** Whether it changes one thing that is there already, and so can be told of which version. */
export function takesIfMatch(operation: Operation): boolean {
  const { method, params, status, rows } = operation
  const isOfOne = params !== undefined || isMergePatch(operation)
  return method !== 'GET' && isOfOne && status === 200 && rows === undefined
}
