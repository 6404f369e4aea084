import { type Corrections, fieldAt, indexOfColumn, type Place, placeOf, type Plan } from './plan.ts'

/** What the user and the service changed in a sheet, as it counts with its present columns. */
export interface Edits {
  readonly corrections: Corrections
  /** Why the service refused cells, by place. */
  readonly refusals: ReadonlyMap<string, string>
  /** Why the service refused rows as a whole, by line. */
  readonly rowRefusals: ReadonlyMap<number, string>
}

/** A text, and what its column was when it was written. */
interface Entry {
  readonly key: string
  readonly text: string
}

/** All edits, also those of columns that are another field now. */
interface State {
  readonly corrections: ReadonlyMap<string, Entry>
  readonly refusals: ReadonlyMap<string, Entry>
  readonly rowRefusals: ReadonlyMap<number, Entry>
}

interface Step {
  readonly before: State
  readonly place: Place
}

export interface EditHistory extends State {
  /** What each correction since the last check replaced. */
  readonly past: readonly Step[]
}

const pastMax = 50

export const noEdits: EditHistory = {
  corrections: new Map(),
  refusals: new Map(),
  rowRefusals: new Map(),
  past: [],
}

const keyAt = (plan: Plan, at: number) => fieldAt(plan, at)?.name ?? ''
const keyOfAll = ({ mapping, orders, identity }: Plan) =>
  [...mapping.map((field) => field?.name), ...orders, identity].join(' ')

/** The edits that count with the columns as they are. */
export function editsOf({ corrections, refusals, rowRefusals }: State, plan: Plan | null): Edits {
  if (plan === null) return { corrections: new Map(), refusals: new Map(), rowRefusals: new Map() }
  const ofCells = (entries: State['corrections']) =>
    new Map(
      [...entries].flatMap(([place, { key, text }]) =>
        keyAt(plan, Number(place.split(' ')[1])) === key ? [[place, text] as const] : [],
      ),
    )
  const all = keyOfAll(plan)
  return {
    corrections: ofCells(corrections),
    refusals: ofCells(refusals),
    rowRefusals: new Map(
      [...rowRefusals].flatMap(([line, { key, text }]) => (key === all ? [[line, text]] : [])),
    ),
  }
}

interface Correction {
  /** The first one is shown again by an undo. */
  readonly places: readonly [Place, ...Place[]]
  readonly text: string
}

/** Replaces cells. The service must check them again, and their rows. */
export function correctCells(
  history: EditHistory,
  plan: Plan,
  { places, text }: Correction,
): EditHistory {
  const { past, ...before } = history
  const corrections = new Map(before.corrections)
  const refusals = new Map(before.refusals)
  const rowRefusals = new Map(before.rowRefusals)
  for (const place of places) {
    corrections.set(placeOf(place), { key: keyAt(plan, place.at), text })
    refusals.delete(placeOf(place))
    rowRefusals.delete(plan.sheet.rows[place.row]?.line ?? 0)
  }
  const step = { before, place: places[0] }
  return { corrections, refusals, rowRefusals, past: [...past, step].slice(-pastMax) }
}

/** Takes back the last correction; null if there is none since the last check. */
export function undoCorrection({ past }: EditHistory) {
  const last = past.at(-1)
  if (last === undefined) return null
  return { history: { ...last.before, past: past.slice(0, -1) }, place: last.place }
}

/** What the service refused, by the line of the file and the column of the API. */
export interface RefusedPart {
  readonly line: number
  /** Null for the whole row. */
  readonly column: string | null
  readonly detail: string
}

/** The cell that an error of the service is about; null if it is about the row. */
export function placeOfError(plan: Plan, { line, column }: RefusedPart): Place | null {
  const at = column === null ? -1 : indexOfColumn(plan, column)
  const row = plan.sheet.rows.findIndex((each) => each.line === line)
  return at < 0 || row < 0 ? null : { row, at }
}

/** Records what the service refused. Earlier corrections cannot be taken back any more. */
export function refuseRows(
  history: EditHistory,
  plan: Plan,
  errors: readonly RefusedPart[],
): EditHistory {
  const refusals = new Map(history.refusals)
  const rowRefusals = new Map(history.rowRefusals)
  for (const error of errors) {
    const { line, column, detail } = error
    const place = placeOfError(plan, error)
    if (place === null) {
      const text = column === null ? detail : `${column}: ${detail}`
      rowRefusals.set(line, { key: keyOfAll(plan), text })
    } else refusals.set(placeOf(place), { key: keyAt(plan, place.at), text: detail })
  }
  return { corrections: history.corrections, refusals, rowRefusals, past: [] }
}
