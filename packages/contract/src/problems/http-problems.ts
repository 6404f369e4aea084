import { limitProblems } from './limit-problems.ts'
import type { ProblemDefinition } from './problem.ts'

/** Problems of HTTP, authentication, authorization, limits and availability. */
export const httpProblems = {
  bad_request: {
    status: 400,
    title: 'The request is malformed.',
    happened: 'The service could not parse the request line, the URL or the message framing.',
    fix: 'Use a standard HTTP client, and percent-encode the URL.',
  },
  bad_json: {
    status: 400,
    title: 'The body is not strict JSON.',
    happened:
      'The body is not valid UTF-8 or not valid JSON. Or it is nested too deep, repeats a ' +
      'member, has more than 1000 members in one object, more values or a longer string than any ' +
      'valid body, or contains a NUL, an unpaired surrogate, `__proto__` or a number that loses ' +
      'precision.',
    fix: 'Correct the position in `detail`. The service never repairs invalid JSON.',
  },
  bad_csv: {
    status: 400,
    title: 'The body is not valid CSV.',
    happened:
      'The body is not UTF-8, has no header row or an unknown column, or has a row with more or ' +
      'fewer cells than the header. Or the header row does not end within 8 KiB, a row has more ' +
      'than 1 MiB, or there are more than 1000 rows.',
    fix: 'Start with the header row of the export, and save the file as CSV in UTF-8.',
  },
  bad_header: {
    status: 400,
    title: 'A request header is malformed or repeated.',
    happened: 'The value of a header is malformed, or a header that may occur once was repeated.',
    fix: 'Correct or remove the header named in `detail`.',
  },
  unknown_parameter: {
    status: 400,
    title: 'A query parameter is unknown.',
    happened:
      'This operation has no such query parameter. The service refuses it, because ignoring a ' +
      'misspelt filter would return more than you asked for.',
    fix: 'Use the parameter suggested in `detail`, or remove it.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A query parameter has an invalid value.',
    happened: 'A parameter is repeated, or its value is out of range or not an allowed value.',
    fix: 'Correct the parameter named in `detail`. The service never coerces values.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is invalid.',
    happened: 'The cursor was modified or truncated, or comes from another list or workspace.',
    fix: 'Send `next_cursor` unchanged, or start again without a cursor.',
  },
  position_lost: {
    status: 410,
    title: 'The position is no longer valid.',
    happened:
      'The position in `after` is of another database: the workspace was imported there. A ' +
      'position of events is also lost if a failover or a restore lost numbers that you have ' +
      'read, or if your scopes or projects have changed. `reason` names the cause.',
    fix:
      'Audit log: follow again with `after=beginning`, and ignore the entries whose `id` you ' +
      'have. Events, by `reason`: for `numbers_lost`, read every resource again that you hold ' +
      'with a `version` above `resume_seq`, drop it if it is 404, and continue at ' +
      '`resume_after`. For `unknown_term`, begin again without `after`. For `view_changed`, get a ' +
      'position with `after=now`, then read the lists again, and continue there.',
  },
  cursor_mismatch: {
    status: 400,
    title: 'The cursor does not match the filters.',
    happened: 'The cursor is valid, but it was issued for other filters or another sort order.',
    fix: 'Repeat all parameters of the first request with the cursor, or follow the Link header.',
  },
  ambiguous_credentials: {
    status: 400,
    title: 'The request has more than one credential.',
    happened:
      'The request has two Authorization headers, two console session cookies, or one of each.',
    fix: 'Send exactly one `Authorization: Bearer <API_KEY>` header and no session cookie.',
  },
  key_in_url: {
    status: 400,
    title: 'The URL contains an API key.',
    happened: 'URLs are stored in logs and browser histories. Treat this key as leaked.',
    fix: 'Revoke the key, create a new one, and send it as `Authorization: Bearer <API_KEY>`.',
  },
  missing_credentials: {
    status: 401,
    title: 'The request has no API key.',
    happened: 'The header `Authorization: Bearer <API_KEY>` is missing.',
    fix:
      'Add the header. A key with `keys.manage` creates keys, in the console or with ' +
      '`POST /v1/keys`. An administrator creates the first key.',
  },
  malformed_key: {
    status: 401,
    title: 'The API key is malformed.',
    happened: 'The token does not have the format of a key, or its checksum is wrong.',
    fix: 'Copy the whole key again. It has 76 characters and starts with `muster_key_`.',
  },
  unknown_key: {
    status: 401,
    title: 'The API key is unknown.',
    happened: 'The token has the format of a key, but this service did not issue it.',
    fix: 'Check that the key belongs to this service, or request a new one.',
  },
  key_expired: {
    status: 401,
    title: 'The API key has expired.',
    happened: 'The key was valid until its `expires_at`, which is in the past.',
    fix: 'Request a new key. Rotate keys before they expire.',
  },
  key_revoked: {
    status: 401,
    title: 'The API key has been revoked.',
    happened: 'The key was revoked. Revocation takes effect immediately and is permanent.',
    fix: 'Request a new key.',
  },
  session_ended: {
    status: 401,
    title: 'The console session has ended.',
    happened:
      'The session expired, was signed out, or was not issued by this service. Or its person is ' +
      'suspended or has departed.',
    fix: 'Sign in again. API clients send a key and need no session.',
  },
  person_not_active: {
    status: 401,
    title: 'The person of this API key is not active.',
    happened: 'The key belongs to a person who is suspended or has departed.',
    fix: 'If the person is suspended, resume them: `POST /v1/personnel/{user_id}/resume`.',
  },
  sign_in_refused: {
    status: 401,
    title: 'The sign-in was refused.',
    happened:
      'The link, the passkey or the account at the identity provider is not valid for this ' +
      'workspace, or was used before, or has expired.',
    fix: 'Try again, or ask an administrator of your workspace for a new sign-in link.',
  },
  sign_in_method_not_allowed: {
    status: 403,
    title: 'The workspace does not allow this way to sign in.',
    happened: 'The policy `sign_in_methods` of the workspace does not contain this method.',
    fix:
      'Sign in in another way: the sign-in page shows those that are allowed. API requests with a ' +
      'key need no sign-in.',
  },
  reauthentication_required: {
    status: 403,
    title: 'This operation needs a recent sign-in.',
    happened:
      'The request gives access or rights, and the session was authenticated more than 10 ' +
      'minutes ago.',
    fix: 'Sign in again, and repeat the request within 10 minutes.',
  },
  session_required: {
    status: 403,
    title: 'This operation works only in a session.',
    happened: 'Personal keys are created only by their person, who is signed in to the console.',
    fix: 'Sign in to the console and open your account.',
  },
  beyond_your_rights: {
    status: 403,
    title: 'This needs rights that you do not have.',
    happened:
      'The request would give a person or a group rights, or take access from a person who gives ' +
      'access to others. Your key or your role does not have `missing_rights`.',
    fix: 'Ask an administrator of your workspace, or use a key with these scopes.',
  },
  not_a_person: {
    status: 404,
    title: 'The API key does not belong to a person.',
    happened: 'This operation is about the person who is signed in. A service key has no person.',
    fix: 'Sign in to the console, or use a personal key.',
  },
  address_not_allowed: {
    status: 403,
    title: 'The API key is not allowed from this IP address.',
    happened: 'The key is restricted to networks that do not include your IP address.',
    fix: 'Send the request from one of its networks, or change `allowed_cidrs` of the key.',
  },
  workspace_suspended: {
    status: 403,
    title: 'The workspace is suspended.',
    happened: 'An administrator suspended the workspace. Its data is kept.',
    fix: 'Contact an administrator of this service.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key lacks the required scope.',
    happened: 'The key is valid, but it does not have `required_scope`.',
    fix: 'Use a key with this scope. A `.manage` scope includes its `.read` scope.',
  },
  networks_not_covered: {
    status: 403,
    title: 'The key is allowed outside the networks of your key.',
    happened:
      'Your key is restricted to networks. `allowed_cidrs` of the key to rotate is empty or ' +
      'includes other networks, so the new secret would work outside yours.',
    fix:
      'Use an unrestricted key, or one whose networks include those of the other key. Or first ' +
      'PATCH `allowed_cidrs` of the other key to networks within yours.',
  },
  not_found: {
    status: 404,
    title: 'The resource does not exist in this workspace.',
    happened: 'No resource has this id in the workspace of the key.',
    fix: 'Check the id, and check that the key belongs to the right workspace.',
  },
  route_not_found: {
    status: 404,
    title: 'The path does not exist.',
    happened: 'No operation has this path. Paths are case-sensitive and have no trailing slash.',
    fix: 'Find the path in `/docs/api` or `/openapi.json`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This path does not support this method.',
    happened: 'The path exists, but it does not support this HTTP method.',
    fix: 'Use one of the methods in the Allow header.',
  },
  not_acceptable: {
    status: 406,
    title: 'No acceptable media type is available.',
    happened: 'The Accept header excludes every media type of this operation.',
    fix: 'Accept `application/json`. Lists also support `text/csv` and `application/x-ndjson`.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive.',
    happened: 'The headers or the body did not arrive in time.',
    fix: 'Send the whole request without pauses, and try again.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large.',
    happened: 'The body exceeds the size limit of this operation.',
    fix: 'Send smaller requests. `/v1/whoami` and `/openapi.json` list the limits.',
  },
  uri_too_long: {
    status: 414,
    title: 'The URL is too long.',
    happened: 'The URL is longer than 8 KiB.',
    fix: 'Use fewer filter values.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported.',
    happened: 'The Content-Type is missing or not `application/json`, or the body is compressed.',
    fix: 'Send plain UTF-8 JSON with `Content-Type: application/json`.',
  },
  expectation_failed: {
    status: 417,
    title: 'The Expect header is not supported.',
    happened: 'The Expect header has a value other than `100-continue`.',
    fix: 'Remove the Expect header.',
  },
  ...limitProblems,
  headers_too_large: {
    status: 431,
    title: 'The headers are too large.',
    happened: 'The request line and the headers together exceed 16 KiB.',
    fix: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    title: 'An internal error occurred.',
    happened: 'The service failed. It logged the error with the request id.',
    fix: 'Report the `request_id` to an administrator of this service.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable.',
    happened: 'The database is unreachable, busy or full. Nothing was changed.',
    fix: 'Retry after the seconds in Retry-After.',
    retryAfter: 1,
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded.',
    happened: 'The service sheds load: it refused this request before processing it.',
    fix: 'Retry after the seconds in Retry-After, which differ between clients.',
    retryAfter: 1,
  },
  commit_in_doubt: {
    status: 503,
    title: 'The outcome of the commit is unknown.',
    happened: 'The database connection was lost during the commit.',
    fix: 'Repeat the request with the same Idempotency-Key. The change is then made exactly once.',
    retryAfter: 1,
  },
} as const satisfies Record<string, ProblemDefinition>
