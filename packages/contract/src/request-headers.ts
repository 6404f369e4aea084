import { takesIfMatch } from '#contract/problems/operation-problems'

import { limits } from './limits.ts'
import { positionExample } from './nouns/events.ts'
import type { Operation } from './operation.ts'

type Json = Record<string, unknown>

/** `x-disabled` keeps optional parameters out of the first request that `/docs/api` sends. */
export const parameterExample = (value: unknown, { isOff }: { isOff: boolean }) => ({
  example: { value, ...(isOff && { 'x-disabled': true }) },
})

/** The headers that a request of the operation can have, as OpenAPI parameters. */
export function requestHeaders(operation: Operation): Json[] {
  const conditional = {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of your copy. The response is 304 if nothing changed.',
    schema: { type: 'string', maxLength: 1000 },
    examples: parameterExample('W/"e3f9c0de1a2b.p4711.r1"', { isOff: true }),
  }
  const idempotent = {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique value of your choice that makes the request safe to repeat. The change is made ' +
      `once, and each repetition within ${limits.idempotencyKeptHours} hours gets that response.`,
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLengthMax },
    examples: parameterExample('onboarding-mara', { isOff: true }),
  }
  const guarded = {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag or version that you read. If the resource has changed since, the response is 412.',
    schema: { type: 'string', maxLength: 1000 },
    examples: parameterExample('"4711"', { isOff: true }),
  }
  const waiting = {
    name: 'Prefer',
    in: 'header',
    description:
      'Waits for the next event if there is none: `wait=30` for up to 30 seconds, at most ' +
      `${limits.waitSecondsMax} (RFC 7240).`,
    schema: { type: 'string', maxLength: 1000 },
    examples: parameterExample('wait=30', { isOff: true }),
  }
  const resumed = {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'For a stream: the last `id` that was received. It replaces `after`.',
    schema: { type: 'string', maxLength: limits.positionLengthMax },
    examples: parameterExample(positionExample, { isOff: true }),
  }
  if (operation.isFollowed) return [waiting, resumed]
  if (takesIfMatch(operation)) return [idempotent, guarded]
  if (operation.method !== 'GET') return [idempotent]
  return operation.cache === 'none' ? [] : [conditional]
}
