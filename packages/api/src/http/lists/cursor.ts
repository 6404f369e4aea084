import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import { Failure } from '#domain/engine/failure'

type Position = readonly (string | number)[]

/** The list that a keyset cursor belongs to, and its filters. */
export interface CursorContext {
  /** The secret of the workspace. */
  readonly secret: string
  readonly workspaceId: string
  readonly operation: string
  /** All parameters that determine the items of the list and their order. */
  readonly query: object
}

const formatVersion = 1
const filtersHashBytes = 8
const signatureBytes = 16

/**
 * A keyset cursor: a version, a hash of the filters and the position, signed (HMAC) together with
 * the workspace and the operation. A cursor grants no access. It only marks a position, and is
 * valid only in its workspace.
 */
export function encodeCursor(context: CursorContext, position: Position): string {
  const body = Buffer.concat([
    Buffer.of(formatVersion),
    filtersHash(context),
    Buffer.from(JSON.stringify(position)),
  ])
  return Buffer.concat([sign(context, body), body]).toString('base64url')
}

export function decodeCursor(context: CursorContext, cursor: string): Position {
  const bytes = Buffer.from(cursor, 'base64url')
  const signature = bytes.subarray(0, signatureBytes)
  const body = bytes.subarray(signatureBytes)
  const isAuthentic =
    bytes.toString('base64url') === cursor &&
    bytes.length > signatureBytes + filtersHashBytes &&
    timingSafeEqual(signature, sign(context, body)) &&
    body[0] === formatVersion
  if (!isAuthentic) throw new Failure('invalid_cursor')
  if (!body.subarray(1, 1 + filtersHashBytes).equals(filtersHash(context))) {
    throw new Failure('cursor_mismatch')
  }
  // The cast holds because only `encodeCursor` can have signed it.
  return JSON.parse(body.subarray(1 + filtersHashBytes).toString()) as Position
}

/**
 * The points of the list at the front of the position, for a request whose points are dates. They
 * are part of the filters, so `decodeCursor` refuses others; null for what is no cursor.
 */
export function pointsInCursor(cursor: string, count: number): number[] | null {
  const body = Buffer.from(cursor, 'base64url').subarray(signatureBytes + 1 + filtersHashBytes)
  const position = positionIn(body.toString())
  const points = position.slice(0, count).map(Number)
  return points.length === count && points.every(Number.isSafeInteger) ? points : null
}

function positionIn(text: string): readonly unknown[] {
  try {
    const position: unknown = JSON.parse(text)
    return Array.isArray(position) ? position : []
  } catch {
    return []
  }
}

function sign({ secret, workspaceId, operation }: CursorContext, body: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(`${workspaceId} ${operation} `)
    .update(body)
    .digest()
    .subarray(0, signatureBytes)
}

function filtersHash({ query }: CursorContext): Buffer {
  const sorted = Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest().subarray(0, filtersHashBytes)
}
