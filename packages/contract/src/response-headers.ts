import { limits } from './limits.ts'

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})

/** The response headers, as OpenAPI components. */
export const responseHeaders = {
  'Request-Id': header(
    'The id of the request, for support requests.',
    'req_01ktrr9d3hen4v9q9t9m2g8x5c',
  ),
  ETag: header(
    'The version of the response. Send it as If-None-Match to get 304 if nothing changed.',
    `W/"e3f9c0de1a2b.p4711.r1"`,
  ),
  Link: header('With pages: the URL of the next page.', '</v1/personnel?cursor=AQM>; rel="next"'),
  'Content-Location': header(
    'With points in time: the address with their sequence numbers, which always means the same.',
    '/v1/risks?as_of=4711',
  ),
  Location: header(
    'The path of the created resource.',
    '/v1/personnel/usr_01ktrr9d3hen4v9q9t9m2g8x5c',
  ),
  'Idempotent-Replayed': header(
    '`true` if this is the stored response of an earlier request.',
    'true',
  ),
  Deprecation: header(
    'With a rotated key: the time since which it is deprecated (RFC 9745).',
    '@1709280000',
  ),
  Sunset: header(
    'With a rotated key: the time at which it expires (RFC 8594).',
    'Fri, 01 Mar 2024 09:00:00 GMT',
  ),
  'Preference-Applied': header('`wait=…` if the request could wait for an event.', 'wait=30'),
  'Retry-After': header('The seconds to wait before a retry.', '1'),
  'RateLimit-Policy': header(
    'The quota `q` and the window `w` in seconds of each rate limit.',
    `"key";q=${limits.perMinute.key};w=60, "workspace";q=${limits.perMinute.workspace};w=60`,
  ),
  RateLimit: header(
    'The remaining requests `r` of each rate limit, and the seconds `t` until it resets.',
    '"key";r=5999;t=60, "workspace";r=29999;t=60',
  ),
  'WWW-Authenticate': header('The authentication scheme (RFC 6750).', 'Bearer realm="muster"'),
}

/** On every response to a request with a valid key. */
export const rateLimitHeaders = ['RateLimit-Policy', 'RateLimit'] as const
/** On every response to a request with a rotated key. */
export const rotationHeaders = ['Deprecation', 'Sunset'] as const

export const headerRefs = (...names: (keyof typeof responseHeaders)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
