/** W3C trace context (`traceparent`): for the log and the response. Nothing is sent to a collector. */

import { randomFillSync } from 'node:crypto'

declare module 'fastify' {
  interface FastifyRequest {
    /** The `traceparent` of the response. */
    traceparent: string
  }
}

/** The length of version 00. Later versions may append fields. */
const length = 55
const noTraceId = '0'.repeat(32)
const noParentId = '0'.repeat(16)

/** Random bytes for many ids: filling a buffer takes longer than reading from it. */
const random = Buffer.alloc(4096)
let used = random.length

function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += bytes
  return random.toString('hex', used - bytes, used)
}

/**
 * The `traceparent` of a response: the trace id that the request sent, and a new parent id. An
 * invalid header is ignored, and the trace id is new.
 */
export function traceparentFor(received: unknown): string {
  if (typeof received !== 'string' || !isTraceparent(received)) {
    return `00-${randomHex(16)}-${randomHex(8)}-00`
  }
  const isSampled = Number.parseInt(received.charAt(length - 1), 16) % 2 === 1
  return `00-${received.slice(3, 35)}-${randomHex(8)}-${isSampled ? '01' : '00'}`
}

export const traceIdIn = (traceparent: string) => traceparent.slice(3, 35)

/** `00-<trace id>-<parent id>-<flags>`, in lower case, with no id that is zero. */
function isTraceparent(text: string): boolean {
  if (text.length < length || text.startsWith('ff')) return false
  if (text.length > length && (text.startsWith('00') || text[length] !== '-')) return false
  for (let index = 0; index < length; index++) {
    const isHyphen = index === 2 || index === 35 || index === 52
    const code = text.charCodeAt(index)
    if (isHyphen ? code !== 0x2d : !isHexDigit(code)) return false
  }
  return !text.startsWith(noTraceId, 3) && !text.startsWith(noParentId, 36)
}

const isHexDigit = (code: number) =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66)
