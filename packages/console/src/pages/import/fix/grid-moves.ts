import type { Place } from '#pages/import/cells/plan.ts'

/** The rows and columns that a grid shows, as indexes of the sheet. */
export interface Shown {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
}

const pageRows = 12

/** How far each key moves in rows and columns; infinite to the end. */
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-pageRows, 0],
  PageDown: [pageRows, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
  'mod+Home': [-Infinity, -Infinity],
  'mod+End': [Infinity, Infinity],
}

/** The cell that a key moves to; null for another key, or in an empty grid. */
export function moveTo({ rows, columns }: Shown, from: Place, key: string): Place | null {
  const [down, right] = moves[key] ?? []
  if (down === undefined || right === undefined) return null
  // A row that is no longer shown leaves its place to the next one.
  const at = rows.findIndex((row) => row >= from.row)
  const row = rows[within(at < 0 ? rows.length - 1 : at, down, rows.length)]
  const column = columns[within(columns.indexOf(from.at), right, columns.length)]
  return row === undefined || column === undefined ? null : { row, at: column }
}

const within = (at: number, by: number, count: number) =>
  Math.max(0, Math.min(count - 1, Math.max(0, at) + by))
