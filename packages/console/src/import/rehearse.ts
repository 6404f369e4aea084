import { type Flaw, ProblemError } from '@muster/client'

import { t } from '#text/index.ts'

import type { Broken, Part, Row, Table } from './csv.ts'
import { type Answer, sendRows, type Target } from './kinds.ts'

/** What becomes of a row. */
type Fate = 'new' | 'changed' | 'unchanged'

export interface Counts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
}

export const noCounts: Counts = { created: 0, changed: 0, unchanged: 0 }

export const added = (counts: Counts, { count, created, changed }: Answer): Counts => ({
  created: counts.created + created,
  changed: counts.changed + changed,
  unchanged: counts.unchanged + count - created - changed,
})

/** One thing that is wrong with a row, and where the file has it. */
export interface RowFlaw {
  readonly line: number
  /** Null when it is about the row as a whole. */
  readonly column: string | null
  readonly value: string
  readonly code: string
  readonly detail: string
}

export interface Rehearsal {
  readonly counts: Counts
  readonly flaws: readonly RowFlaw[]
  /** Of the first rows, as far as they are known. */
  readonly fates: readonly Fate[]
}

/** No more flaws are looked for than anyone corrects at one sitting. */
const flawsMax = 200

interface Doing {
  readonly target: Target
  readonly table: Table
  readonly parts: readonly Part[]
  readonly signal: AbortSignal
  readonly onProgress: (rows: number) => void
}

/** Tries every part, and changes nothing. */
export async function rehearse(doing: Doing): Promise<Rehearsal> {
  const { target, table, parts, signal, onProgress } = doing
  const flaws = table.broken.slice(0, flawsMax).map(flawOfBroken(table))
  const idAt = table.header.cells.indexOf('id')
  const fates: Fate[] = []
  let counts = noCounts
  let rows = 0
  // What cannot be read is not sent: the service would refuse all of it for the first such row.
  for (const part of flaws.length > 0 ? [] : parts) {
    if (flaws.length >= flawsMax) break
    try {
      const sent = { csv: part.csv, query: { dry_run: true } }
      const answer = await sendRows(target, sent, { signal })
      counts = added(counts, answer)
      if (fates.length === 0) fates.push(...fatesOf(part.rows, answer, idAt))
    } catch (error) {
      flaws.push(...flawsOf(error, part, table))
    }
    rows += part.rows.length
    onProgress(rows)
  }
  return { counts, flaws, fates }
}

/** A row without an id is new; of the others, those changed that got the number of the batch. */
function fatesOf(rows: readonly Row[], { data, created, changed }: Answer, idAt: number): Fate[] {
  const isAny = created + changed > 0
  const number = data.reduce((highest, { version }) => Math.max(highest, version), 0)
  return rows.slice(0, shownMost).map((row, index) => {
    if (!row.cells[idAt]) return 'new'
    return isAny && data[index]?.version === number ? 'changed' : 'unchanged'
  })
}

/** How many rows are shown before they are imported. */
export const shownMost = 10

const flawOfBroken =
  ({ header }: Table) =>
  ({ line, why, count }: Broken): RowFlaw => ({
    line,
    column: null,
    value: '',
    code: why,
    detail: t(`import.flaw.${why}`, { count, wanted: header.cells.length }),
  })

/** What a part was refused for, row by row. What is not about its rows is thrown on. */
export function flawsOf(error: unknown, part: Part, table: Table): RowFlaw[] {
  if (!(error instanceof ProblemError) || error.code !== 'validation_failed') throw error
  const flaws = (error.problem.errors ?? []).map((flaw) => placed(flaw, part, table))
  // A cell that breaks several rules is corrected once: the last that is told says the most.
  return [...new Map(flaws.map((flaw) => [`${flaw.line} ${flaw.column}`, flaw])).values()]
}

function placed({ pointer, code, detail }: Flaw, part: Part, { header }: Table): RowFlaw {
  const [, , index = '', ...path] = pointer.split('/')
  const row = part.rows[Number(index)]
  const at = columnOf(path, header.cells)
  const column = header.cells[at] ?? path.join('.')
  return {
    line: row?.line ?? 1,
    column: column === '' ? null : column,
    value: row?.cells[at] ?? '',
    code,
    detail,
  }
}

/** A flaw of one tag is in the column of all tags; one of `target` in its first column. */
function columnOf(path: readonly string[], columns: readonly string[]): number {
  const [first = ''] = path
  const exact = columns.indexOf(path.join('.'))
  const whole = columns.indexOf(first)
  const partly = columns.findIndex((column) => first !== '' && column.startsWith(`${first}.`))
  return [exact, whole, partly].find((index) => index >= 0) ?? -1
}
