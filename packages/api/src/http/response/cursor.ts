import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import { Failure } from '#domain/failure'

type Position = readonly (string | number)[]

/** Which list a cursor belongs to, and what was asked of it. */
export interface CursorContext {
  readonly workspaceId: string
  readonly operation: string
  /** All parameters that decide which items are in the list, and in what order. */
  readonly query: object
}

const formatVersion = 1
const filtersBytes = 8
const tagBytes = 16

/**
 * A cursor is a version, a hash of the filters, the position, and a signature over these and over
 * whose list it is. It carries no authority: it only says where to go on, and only to its own
 * workspace.
 */
export class CursorSeal {
  readonly #secret: Buffer

  constructor(secret: Buffer) {
    this.#secret = secret
  }

  seal(context: CursorContext, position: Position): string {
    const body = Buffer.concat([
      Buffer.of(formatVersion),
      filtersOf(context),
      Buffer.from(JSON.stringify(position)),
    ])
    return Buffer.concat([this.#sign(context, body), body]).toString('base64url')
  }

  open(context: CursorContext, cursor: string): Position {
    const bytes = Buffer.from(cursor, 'base64url')
    const tag = bytes.subarray(0, tagBytes)
    const body = bytes.subarray(tagBytes)
    const isGenuine =
      bytes.toString('base64url') === cursor &&
      bytes.length > tagBytes + filtersBytes &&
      timingSafeEqual(tag, this.#sign(context, body)) &&
      body[0] === formatVersion
    if (!isGenuine) throw new Failure('invalid_cursor')
    if (!body.subarray(1, 1 + filtersBytes).equals(filtersOf(context))) {
      throw new Failure('cursor_mismatch')
    }
    // The cast holds because only `seal` can have signed it.
    return JSON.parse(body.subarray(1 + filtersBytes).toString()) as Position
  }

  #sign({ workspaceId, operation }: CursorContext, body: Buffer): Buffer {
    return createHmac('sha256', this.#secret)
      .update(`${workspaceId} ${operation} `)
      .update(body)
      .digest()
      .subarray(0, tagBytes)
  }
}

function filtersOf({ query }: CursorContext): Buffer {
  const sorted = Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest().subarray(0, filtersBytes)
}
