import type { ImportField } from '#pages/import/columns/field.ts'

import type { Edits } from './edits.ts'
import { convertAt, fieldAt, type Place, placeOf, type Plan, type WrongCell } from './plan.ts'

/** A cell whose text was replaced, and that can be imported now. */
interface FixedCell extends Place {
  readonly field: ImportField
  readonly text: string
}

/** The cells of a sheet that are not as the file has them, or cannot be imported so. */
export interface JudgedCells {
  /** In the order of the file. */
  readonly wrong: readonly WrongCell[]
  readonly fixed: readonly FixedCell[]
}

export const noCells: JudgedCells = { wrong: [], fixed: [] }

const fileText = ({ sheet }: Plan, { row, at }: Place) => sheet.rows[row]?.cells[at] ?? ''

/** The text of a cell that is imported. */
export const textAt = (plan: Plan, { corrections }: Edits, place: Place) =>
  corrections.get(placeOf(place)) ?? fileText(plan, place)

const isBefore = (one: Place, other: Place) =>
  one.row < other.row || (one.row === other.row && one.at < other.at)

/** The cells that were corrected or refused. */
function editedCells({ corrections, refusals }: Edits): Place[] {
  const keys = new Set([...corrections.keys(), ...refusals.keys()])
  return Array.from(keys, (key) => {
    const [row = 0, at = 0] = key.split(' ').map(Number)
    return { row, at }
  })
}

const inOrder = <T extends Place>(cells: readonly T[]) =>
  cells.toSorted((one, other) => (isBefore(one, other) ? -1 : 1))

/** Separates the cells that are still wrong from those that were corrected. */
export function judgeCells(plan: Plan, found: readonly WrongCell[], edits: Edits): JudgedCells {
  // Most cells of a long file were not edited: they are as they were found.
  const wrong = found.filter((cell) => !edits.corrections.has(placeOf(cell)))
  const untouched = new Set(wrong.map(placeOf))
  const fixed: FixedCell[] = []
  for (const { row, at } of editedCells(edits)) {
    const field = fieldAt(plan, at)
    if (field === null || untouched.has(placeOf({ row, at }))) continue
    const cell = { row, at, field, text: textAt(plan, edits, { row, at }) }
    const own = convertAt(plan, cell, cell.text)?.fault ?? null
    const detail = own === null ? (edits.refusals.get(placeOf(cell)) ?? null) : null
    const fault = own ?? (detail === null ? null : 'refused')
    if (fault === null) fixed.push(cell)
    else wrong.push({ ...cell, fault, detail })
  }
  return { wrong: inOrder(wrong), fixed: inOrder(fixed) }
}

/** An id or an email belongs to one record, so that equal ones need different corrections. */
const isOwn = ({ fault, field }: WrongCell) =>
  fault === 'repeated' || (fault === 'refused' && (field.type === 'text' || field.type === 'email'))

/** The other cells of the column that the same correction suits. */
export function findEqualCells(
  { wrong, fixed }: JudgedCells,
  plan: Plan,
  cell: Place,
): readonly Place[] {
  const own = wrong.find((each) => isSame(each, cell))
  const isEqual = (each: FixedCell) => each.at === cell.at && !isSame(each, cell)
  if (own !== undefined) {
    if (isOwn(own)) return []
    const text = own.text.trim()
    return wrong.filter((each) => isEqual(each) && !isOwn(each) && each.text.trim() === text)
  }
  const before = fixed.find((each) => isSame(each, cell))
  return before === undefined
    ? []
    : fixed.filter(
        (each) =>
          isEqual(each) &&
          each.text === before.text &&
          fileText(plan, each) === fileText(plan, cell),
      )
}

export const isSame = (one: Place, other: Place) => one.row === other.row && one.at === other.at

/** The next wrong cell after a place, from the first one again after the last. */
export const nextWrong = (wrong: readonly WrongCell[], place: Place): WrongCell | null =>
  wrong.find((each) => isBefore(place, each)) ?? wrong[0] ?? null

/** The wrong cells below a place in its column. */
export const wrongBelow = (wrong: readonly WrongCell[], { row, at }: Place) =>
  wrong.filter((each) => each.at === at && each.row > row)
