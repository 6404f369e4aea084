import { csvCell } from '#pages/import/cells/plan.ts'
import { t } from '#text/index.ts'

import type { Results } from './dry-run.ts'

/** Why rows were not imported, by their lines. */
export type LeftOut = ReadonlyMap<number, string>

/** The file that is imported, as the check and the result show it. */
export interface ImportSource {
  readonly name: string
  /** The lines of all rows of the file. */
  readonly lines: readonly number[]
  readonly leftOut: LeftOut
  /** The name of a column as the file has it. */
  readonly nameOf: (column: string) => string
}

interface Report extends Pick<ImportSource, 'lines' | 'leftOut'> {
  readonly results: Results
}

/** The result of each row as CSV: its line, what was done, the record, and why it was left out. */
export function reportCsv({ lines, results, leftOut }: Report): string {
  const header = [
    t('import.line'),
    t('import.outcome'),
    t('import.report.record'),
    t('word.reason'),
  ]
  const rows = lines.map((line) => {
    const { outcome, record = '' } = results.get(line) ?? {}
    const reason = leftOut.get(line)
    const word = t(
      outcome === undefined
        ? `import.report.${reason === undefined ? 'not-imported' : 'left-out'}`
        : `import.outcome.${outcome}`,
    )
    return [String(line), word, record, reason ?? '']
  })
  return [header, ...rows].map((cells) => `${cells.map(safeCell).join(',')}\n`).join('')
}

/** A spreadsheet would take a text such as `=1+1` for a formula. */
const safeCell = (text: string) => csvCell(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
