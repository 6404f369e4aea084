import type { Problem } from './problem.ts'

/** A request that cannot be understood, let in or answered. */
export const problemsOfRequest = {
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
      'The body is not UTF-8, not JSON, nested too deep, names a member twice or more than 1000 in ' +
      'one object, or holds a NUL, half of a surrogate pair, `__proto__`, or a number that cannot ' +
      'be kept exactly.',
    fix: 'Correct the place that the detail names. Nothing is repaired or guessed on your behalf.',
  },
  bad_csv: {
    status: 400,
    title: 'The body is not CSV that can be read.',
    happened:
      'The body is not UTF-8, has no header, has a column that is not known, or a line with more ' +
      'or fewer cells than the header.',
    fix: 'Begin with the header that the export writes, and save the file as CSV in UTF-8.',
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
    happened:
      'Two Authorization headers were sent, or one beside the cookie of the console, or that ' +
      'cookie twice. Which of the two is meant cannot be known.',
    fix: 'Send exactly one header `Authorization: Bearer <API_KEY>`, and no cookie beside it.',
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
    fix:
      'Add the header. Whoever holds `keys.manage` makes keys, in the console or by ' +
      '`POST /v1/keys`; the first one is made by whoever runs this service.',
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
  session_ended: {
    status: 401,
    title: 'You are no longer signed in to the console.',
    happened: 'The session was signed out, has expired, or never was one of this service.',
    fix: 'Sign in again with your API key. A program sends its key and has no session.',
  },
  address_not_allowed: {
    status: 403,
    title: 'The API key may not be used from here.',
    happened: 'The key is bound to networks, and the request came from elsewhere.',
    fix: 'Call from one of its networks, or have `allowed_cidrs` of the key changed.',
  },
  workspace_suspended: {
    status: 403,
    title: 'The workspace is suspended.',
    happened: 'Whoever runs this service has suspended the workspace. Nothing in it was lost.',
    fix: 'Ask whoever runs this service.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key lacks the scope this needs.',
    happened: 'The key is valid, but was not given `required_scope`.',
    fix: 'Use a key that holds the scope. A `.manage` scope includes its `.read`.',
  },
  networks_not_covered: {
    status: 403,
    title: 'The key may be used from outside the networks of your key.',
    happened:
      'Your key is bound to networks, and `allowed_cidrs` of the key to rotate is empty or names ' +
      'others. The answer would hold a secret that works outside of your networks.',
    fix:
      'Use a key that is not bound or whose networks include those of the other key. Or first ' +
      'PATCH `allowed_cidrs` of the other key to networks within yours.',
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
  rate_limited: {
    status: 429,
    title: 'Too many requests within a minute.',
    happened:
      'The member `limit` names the limit: the requests of this `key`, those of all keys of the ' +
      '`workspace` together, or failed authentications with different keys from your `address`. A ' +
      'key that is revoked, expired or not allowed here has a lower limit of its own.',
    fix:
      'Wait for the time in Retry-After. The RateLimit header of every answer says what is left. ' +
      'Ask for lists and summaries with If-None-Match: their 304 costs nothing. If it is the ' +
      '`address`, find what sends unknown keys.',
    retryAfter: 60,
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
  overloaded: {
    status: 503,
    title: 'There is more to do than can be done.',
    happened: 'So many requests came at once that this one was refused before it was looked at.',
    fix: 'Try again after the time in Retry-After, which differs from client to client.',
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
