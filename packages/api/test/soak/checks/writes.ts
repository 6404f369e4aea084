import type { Verdict } from './verdict.ts'

/** A write that its client knows the end of. Every row that it makes bears its mark. */
export interface Ended {
  readonly mark: string
  /** How many rows it makes. */
  readonly rows: number
  /** The number that was acknowledged; null when the write was refused. */
  readonly version: number | null
}

/** A row that is there. */
export interface Found {
  readonly mark: string
  readonly version: number
}

/** What was acknowledged is there, once; and nothing is there that was not. */
export function checkWrites(ended: readonly Ended[], found: readonly Found[]): Verdict {
  const rowsOf = Map.groupBy(found, ({ mark }) => mark)
  for (const write of ended) {
    const rows = rowsOf.get(write.mark) ?? []
    rowsOf.delete(write.mark)
    const because = faultOf(write, rows)
    if (because !== null) return { because, example: [write, ...rows] }
  }
  for (const rows of rowsOf.values()) {
    return { because: 'This is there, and nobody was told so.', example: rows }
  }
  return null
}

function faultOf({ rows: wanted, version }: Ended, rows: readonly Found[]): string | null {
  if (version === null) return rows.length === 0 ? null : 'This was refused, and is there.'
  if (rows.length < wanted) return 'This was acknowledged, and is lost.'
  if (rows.length > wanted) return 'This was sent once, and is there more than once.'
  const isOther = rows.some((row) => row.version !== version)
  return isOther ? 'This was acknowledged with another number.' : null
}
