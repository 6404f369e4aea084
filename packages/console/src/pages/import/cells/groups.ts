import type { WrongCell } from './plan.ts'

/** Wrong cells that one correction corrects. */
export interface CellGroup {
  readonly key: string
  readonly cells: readonly [WrongCell, ...WrongCell[]]
}

/** Groups the cells of a column with the same text, in the order of the file. */
export function groupCells(cells: readonly WrongCell[], areEqualTogether: boolean): CellGroup[] {
  // Repeated values need a different one each.
  const keyOf = ({ row, at, text, fault }: WrongCell) =>
    areEqualTogether && fault !== 'repeated' ? `${at} ${text.trim()}` : `${row} ${at}`
  return Array.from(Map.groupBy(cells, keyOf), ([key, [first, ...others]]) =>
    first === undefined ? [] : [{ key, cells: [first, ...others] as const }],
  ).flat()
}
