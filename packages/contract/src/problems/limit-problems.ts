import type { ProblemDefinition } from './problem.ts'

/** Problems of a caller that exceeds a limit. */
export const limitProblems = {
  rate_limited: {
    status: 429,
    title: 'The rate limit is exceeded.',
    happened:
      'The member `limit` names the limit per minute: requests of this `key`, requests of all ' +
      'keys of the `workspace`, failed authentications from your IP `address`, requests to sign ' +
      'in from there (`sign_in`), or reads of the sign-in page from there (`sign_in_page`). A key ' +
      'that is revoked, expired or not allowed from your network has a lower limit of its own.',
    fix:
      'Wait for the seconds in Retry-After. The RateLimit header of each response has the ' +
      'remaining requests. Send If-None-Match with lists and summaries: their 304 is free, up to ' +
      'the number of the limit. For the limit `address`, find the client that sends unknown keys.',
    retryAfter: 60,
  },
  too_many_streams: {
    status: 429,
    title: 'Too many concurrent streams.',
    happened:
      'This key is already receiving the maximum number of concurrent complete lists, or of ' +
      'streams of events, or all keys of the workspace have too many streams of events.',
    fix:
      'Wait until one of them ends. Request pages of a list with `limit`, and of events without ' +
      '`Accept: text/event-stream`.',
    retryAfter: 1,
  },
  too_many_slugs: {
    status: 429,
    title: 'Too many slugs were tried.',
    happened: 'The workspace asked for 10 other slugs within a minute.',
    fix: 'Wait a minute.',
    retryAfter: 60,
  },
  too_many_sign_in_tests: {
    status: 429,
    title: 'Too many concurrent tests of the identity provider.',
    happened:
      'Two tests of the identity provider are in progress in this workspace. A test takes a few ' +
      'seconds if the provider does not answer.',
    fix: 'Wait until one of them ends, and read its result.',
    retryAfter: 5,
  },
  too_many_large_bodies: {
    status: 429,
    title: 'Too many concurrent large bodies.',
    happened:
      'This key already has the maximum number of requests in flight with a body above 64 KiB.',
    fix: 'Wait until one of them ends, or send smaller batches.',
    retryAfter: 1,
  },
} as const satisfies Record<string, ProblemDefinition>
