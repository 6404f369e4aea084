import type { Verdict } from '#test/soak/verdict'

/** A write with a known outcome. Every row that it creates contains its marker. */
export interface Ended {
  readonly marker: string
  /** How many rows it creates. */
  readonly rows: number
  /** The acknowledged version; null when the write was refused. */
  readonly version: number | null
}

/** A row in the database. */
export interface StoredRow {
  readonly marker: string
  readonly version: number
}

/** Every acknowledged write is stored exactly once, and nothing else is stored. */
export function checkWrites(ended: readonly Ended[], found: readonly StoredRow[]): Verdict {
  const rowsOf = Map.groupBy(found, ({ marker }) => marker)
  for (const write of ended) {
    const rows = rowsOf.get(write.marker) ?? []
    rowsOf.delete(write.marker)
    const because = faultOf(write, rows)
    if (because !== null) return { because, example: [write, ...rows] }
  }
  for (const rows of rowsOf.values()) {
    return { because: 'This is stored, but was never acknowledged.', example: rows }
  }
  return null
}

function faultOf({ rows: wanted, version }: Ended, rows: readonly StoredRow[]): string | null {
  if (version === null) return rows.length === 0 ? null : 'This was refused, but is stored.'
  if (rows.length < wanted) return 'This was acknowledged, but is lost.'
  if (rows.length > wanted) return 'This was sent once, but is stored more than once.'
  const isOther = rows.some((row) => row.version !== version)
  return isOther ? 'This was acknowledged with another number.' : null
}
