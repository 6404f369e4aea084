import {
  type Batch,
  type BatchLimits,
  type CsvRow,
  splitIntoBatches,
  type Table,
} from '#data/parse-csv.ts'

/** Splits the rows into requests within the limits of the API, in order. */
export function splitTable(
  table: Table,
  { projectsMax, ...limits }: BatchLimits & { readonly projectsMax: number },
): Batch[] {
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
