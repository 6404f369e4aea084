interface Problem {
  readonly status: number
  readonly title: string
  /** What happened, for someone who has never met this answer before. */
  readonly happened: string
  /** What to do about it. */
  readonly fix: string
  /** Seconds to wait before trying again, where trying again is the advice. */
  readonly retryAfter?: number
}

/**
 * Every way a request can fail, by name. Names are never renamed. The name is the `code` of the
 * answer and the tail of its `type`, `/problems/<name>`, which every instance serves as a page.
 */
export const problems = {
  bad_request: {
    status: 400,
    title: 'The request is not well-formed HTTP.',
    happened: 'The request line, the URL or the framing of the request could not be understood.',
    fix: 'Send the request with an ordinary HTTP client, and percent-encode the URL.',
  },
  bad_json: {
    status: 400,
    title: 'The body is not strict JSON.',
    happened:
      'The body is not UTF-8, not JSON, nested too deep, names a member twice, or holds a NUL, ' +
      'half of a surrogate pair, `__proto__`, or a number that cannot be kept exactly.',
    fix: 'Correct the place that the detail names. Nothing is repaired or guessed on your behalf.',
  },
  bad_header: {
    status: 400,
    title: 'A header is malformed or sent twice.',
    happened: 'A header that may be sent once came twice, or its value is not of the right form.',
    fix: 'Correct or remove the header that the detail names.',
  },
  unknown_parameter: {
    status: 400,
    title: 'A query parameter is not known.',
    happened:
      'The query holds a parameter this operation does not have. It is refused rather than ' +
      'ignored, because a misspelt filter would quietly answer more than you asked for.',
    fix: 'Use the parameter that the detail suggests, or remove it.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A query parameter has a value that is not allowed.',
    happened:
      'A parameter was sent twice, or its value is out of range or not one of those listed.',
    fix: 'Correct the parameter that the detail names. Values are never coerced into range.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not one this list gave out.',
    happened: 'The cursor was altered, cut, or comes from another list or workspace.',
    fix: 'Use `next_cursor` exactly as it was given, or begin again without a cursor.',
  },
  cursor_mismatch: {
    status: 400,
    title: 'The cursor belongs to other filters.',
    happened: 'The cursor is genuine, but the filters or the sort are not those it was given for.',
    fix: 'Repeat all parameters of the first request beside the cursor, or follow the Link header.',
  },
  ambiguous_credentials: {
    status: 400,
    title: 'The request carries more than one credential.',
    happened: 'Two Authorization headers were sent. Which of the two is meant cannot be known.',
    fix: 'Send exactly one header `Authorization: Bearer <API_KEY>`.',
  },
  key_in_url: {
    status: 400,
    title: 'An API key was sent in the URL.',
    happened: 'URLs end up in logs and histories, so a key in a URL must be taken as leaked.',
    fix: 'Revoke that key, make a new one, and send it as `Authorization: Bearer <API_KEY>`.',
  },
  missing_credentials: {
    status: 401,
    title: 'The request carries no API key.',
    happened: 'There is no header `Authorization: Bearer <API_KEY>`.',
    fix: 'Add the header. Whoever runs this service makes keys with `npm run admin -- key create`.',
  },
  malformed_key: {
    status: 401,
    title: 'That is not an API key.',
    happened:
      'The token has not the form of a key, or its checksum is wrong: a typo, or a cut key.',
    fix: 'Copy the whole key again: 76 characters, beginning with `muster_key_`.',
  },
  unknown_key: {
    status: 401,
    title: 'No such API key.',
    happened: 'The token has the form of a key, but this service has never issued it.',
    fix: 'Check that the key belongs to this service, or ask for a new one.',
  },
  key_expired: {
    status: 401,
    title: 'The API key has expired.',
    happened: 'The key was genuine, and its time is over.',
    fix: 'Ask for a new key. Rotate keys before they expire.',
  },
  key_revoked: {
    status: 401,
    title: 'The API key has been revoked.',
    happened: 'Someone revoked this key. That takes effect at once and cannot be undone.',
    fix: 'Ask for a new key.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key lacks the scope this needs.',
    happened: 'The key is valid, but was not given `required_scope`.',
    fix: 'Use a key that holds the scope. A `.manage` scope includes its `.read`.',
  },
  quota_exceeded: {
    status: 403,
    title: 'The workspace is full.',
    happened: 'The workspace already holds as many of these as its quota allows.',
    fix: 'Remove what is no longer needed, or ask whoever runs this service to raise the quota.',
  },
  not_found: {
    status: 404,
    title: 'There is no such thing in this workspace.',
    happened: 'The id does not exist in the workspace that the key belongs to.',
    fix: 'Check the id, and that the key is of the right workspace.',
  },
  route_not_found: {
    status: 404,
    title: 'There is nothing at this path.',
    happened: 'No operation has this path. Paths are case-sensitive and have no trailing slash.',
    fix: 'Look the path up in `/docs` or `/openapi.json`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This path does not take this method.',
    happened: 'The path exists, but not for this method.',
    fix: 'Use one of the methods in the Allow header.',
  },
  not_acceptable: {
    status: 406,
    title: 'None of the media types you accept can be given.',
    happened: 'The Accept header rules out everything that this operation can answer.',
    fix: 'Accept `application/json`; complete lists also come as `text/csv` and `application/x-ndjson`.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive.',
    happened: 'The headers or the body were not complete in time.',
    fix: 'Send the whole request at once, and try again.',
  },
  email_taken: {
    status: 409,
    title: 'Another person on the roster has this email.',
    happened: 'Emails are unique among those who have not departed; letter case does not matter.',
    fix: 'Look at the person in `conflicting_id`: it may be the same person.',
  },
  external_id_taken: {
    status: 409,
    title: 'Another person on the roster has this external id.',
    happened: 'External ids are unique among those who have not departed.',
    fix: 'Look at the person in `conflicting_id`: it may be the same person.',
  },
  name_taken: {
    status: 409,
    title: 'Another active group has this name.',
    happened: 'Names of active groups are unique; letter case does not matter.',
    fix: 'Choose another name, or use the group in `conflicting_id`.',
  },
  project_code_taken: {
    status: 409,
    title: 'Another project has this code.',
    happened: 'A project code is unique for ever, since the references of its risks begin with it.',
    fix: 'Choose another code, or use the project in `conflicting_id`.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The same request is still running.',
    happened: 'A request with this Idempotency-Key has begun and has not ended yet.',
    fix: 'Repeat the request with the same Idempotency-Key after the time in Retry-After.',
    retryAfter: 1,
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large.',
    happened: 'The body is larger than this operation takes.',
    fix: 'Send less at once. The limits are listed in `/v1/whoami` and `/openapi.json`.',
  },
  uri_too_long: {
    status: 414,
    title: 'The URL is too long.',
    happened: 'The URL is longer than 8 KiB.',
    fix: 'Name fewer values in the filters.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is of a type this does not take.',
    happened: 'The Content-Type is missing or not `application/json`, or the body is compressed.',
    fix: 'Send plain UTF-8 JSON with `Content-Type: application/json`.',
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation cannot be met.',
    happened: 'The Expect header holds something other than `100-continue`.',
    fix: 'Remove the Expect header.',
  },
  validation_failed: {
    status: 422,
    title: 'The body breaks the rules of this operation.',
    happened:
      'The body is JSON, but one or more of its members are missing, unknown or not allowed.',
    fix: 'Correct each place in `errors`: `pointer` says where, `detail` says what is expected.',
  },
  unknown_reference: {
    status: 422,
    title: 'The body refers to something that does not exist.',
    happened: 'An id in the body names nothing in this workspace.',
    fix: 'Correct the id at `pointer`.',
  },
  not_assignable: {
    status: 422,
    title: 'This person cannot be given new work.',
    happened: 'Only people whose status is active can be given something to own or to do.',
    fix: 'Choose someone whose `assignable` is true.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used for another body.',
    happened: 'A request with this Idempotency-Key has succeeded before, with a different body.',
    fix: 'Use a new Idempotency-Key for a new request, and the same one only to repeat a request.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many complete lists at once.',
    happened: 'This key is already receiving as many complete lists as it may at one time.',
    fix: 'Wait for one to end, or ask for pages with `limit`.',
    retryAfter: 1,
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large.',
    happened: 'The request line and the headers are together larger than 16 KiB.',
    fix: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    title: 'The service failed to answer.',
    happened: 'Something went wrong on our side. It has been logged under the request id.',
    fix: 'Tell whoever runs this service the `request_id`.',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot answer just now.',
    happened: 'The database is out of reach, busy or full. Nothing was changed.',
    fix: 'Try again after the time in Retry-After.',
    retryAfter: 1,
  },
  commit_in_doubt: {
    status: 503,
    title: 'It is not known whether the change was made.',
    happened: 'The database was lost in the very moment the change was being made durable.',
    fix: 'Repeat the request with the same Idempotency-Key: the change is made once, whatever happened.',
    retryAfter: 1,
  },
} as const satisfies Record<string, Problem>

export type ProblemName = keyof typeof problems
