import type { Filters } from '#kit/list/filters.ts'

/**
 * The chosen cells of the heat map. The service filters by a list of likelihoods and a list of
 * impacts, so the chosen cells are always a rectangle: every listed row in every listed column.
 */
export interface ChosenCells {
  readonly likelihood: readonly string[]
  readonly impact: readonly string[]
}

interface Cell {
  readonly likelihood: number
  readonly impact: number
}

export const chosenOf = ({ getAll }: Filters): ChosenCells => ({
  likelihood: getAll('likelihood'),
  impact: getAll('impact'),
})

export const isIn = ({ likelihood, impact }: ChosenCells, cell: Cell) =>
  likelihood.includes(String(cell.likelihood)) && impact.includes(String(cell.impact))

/** Adds the row and the column of a cell. */
export const withCell = (chosen: ChosenCells, cell: Cell) => ({
  likelihood: [...new Set([...chosen.likelihood, String(cell.likelihood)])].toSorted(),
  impact: [...new Set([...chosen.impact, String(cell.impact)])].toSorted(),
})

/** The largest rectangle without a cell: it loses the row or the column of the cell. */
export function without({ likelihood, impact }: ChosenCells, cell: Cell) {
  const rows = likelihood.filter((value) => value !== String(cell.likelihood))
  const columns = impact.filter((value) => value !== String(cell.impact))
  const keepsRows = likelihood.length * columns.length > rows.length * impact.length
  const rest = keepsRows ? { likelihood, impact: columns } : { likelihood: rows, impact }
  const isEmpty = rest.likelihood.length === 0 || rest.impact.length === 0
  return isEmpty ? { likelihood: null, impact: null } : rest
}
