import {
  type Batch,
  type BatchLimits,
  type CsvRow,
  splitIntoBatches,
  type Table,
} from '#data/parse-csv.ts'

/** The API changes at most this many projects in one request. */
const projectsMax = 50

/** Splits the rows into requests within the limits of the API, in order. */
export function splitTable(table: Table, limits: BatchLimits): Batch[] {
  const { header, rows } = table
  const at = header.cells.findIndex((name) => name === 'project_code' || name === 'project_id')
  const parts: CsvRow[][] = []
  let projects = new Set<string>()
  for (const row of rows) {
    projects.add(row.cells[at] ?? '')
    const part = parts.at(-1)
    if (part !== undefined && projects.size <= projectsMax) part.push(row)
    else {
      parts.push([row])
      projects = new Set([row.cells[at] ?? ''])
    }
  }
  return parts.flatMap((part) => splitIntoBatches({ ...table, rows: part }, limits))
}
