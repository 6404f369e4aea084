import type { Operation } from './operation.ts'
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
] as const satisfies ProblemName[]

const withKey = [
  'ambiguous_credentials',
  'key_in_url',
  'missing_credentials',
  'malformed_key',
  'unknown_key',
  'key_expired',
  'key_revoked',
] as const satisfies ProblemName[]

const withBody = [
  'bad_json',
  'body_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'validation_failed',
] as const satisfies ProblemName[]

const withChange = [
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
export function takesIfMatch({ method, params, status, rows }: Operation): boolean {
  return method !== 'GET' && params !== undefined && status === 200 && rows === undefined
}
