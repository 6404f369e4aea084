/** The columns of a CSV file, however people write their names. */

import { limits } from '@muster/contract'

import { Failure, type InvalidField } from '#domain/engine/failure'

import { printable, suggest } from './nearest.ts'

interface Names {
  /** The columns that the operation takes. */
  readonly known: readonly string[]
  /** The parameter `columns`: `Titel:title,Notiz:-`. */
  readonly names?: string | undefined
}

interface Header {
  /** The column of each cell; null for one that is ignored. */
  readonly columns: readonly (string | null)[]
  readonly errors: readonly InvalidField[]
}

/** `External ID`, `external-id` and `External_Id` are the same name. */
const folded = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')

/** Finds the column of each cell of the header, with the errors of all cells. */
export function resolveHeader(header: readonly string[], { known, names }: Names): Header {
  const given = givenNames(names)
  const byName = new Map(known.map((name) => [folded(name), name]))
  const errors: InvalidField[] = []
  const seen = new Set<string>()
  const used = new Set<string>()
  const columns = header.map((cell, index) => {
    const name = folded(cell)
    const wanted = given.get(name)
    used.add(name)
    if (wanted === ignore) return null
    const column = byName.get(folded(wanted ?? cell))
    const refuse = (code: string, detail: string) =>
      errors.push({ pointer: `/header/${index}`, code, detail })
    // A suggestion takes time, and only the first errors are listed.
    const candidates = errors.length < limits.errorsMax ? known : []
    if (column === undefined) refuse('unknown_column', unknown(wanted ?? cell, candidates))
    else if (seen.has(column)) refuse('repeated', `The column ${column} appears twice`)
    else seen.add(column)
    return column ?? null
  })
  const missing = [...given.keys()].filter((name) => !used.has(name))
  const absent = missing.map((name) => ({
    pointer: '/header',
    code: 'unknown_column',
    detail: `The file has no column ${printable(name)}, which the parameter columns names`,
  }))
  return { columns, errors: [...errors, ...absent] }
}

const ignore = '-'

const unknown = (name: string, known: readonly string[]) =>
  `There is no column ${printable(name.trim())}${suggest(folded(name), known)}`

/** The columns that the parameter names, by the folded name in the file. */
function givenNames(names: string | undefined): ReadonlyMap<string, string> {
  const pairs = names?.split(',') ?? []
  return new Map(
    pairs.map((pair) => {
      const [, name, column] = /^(.+):([^:]+)$/.exec(pair) ?? []
      if (name && column) return [folded(name), column.trim()] as const
      const detail = 'The parameter columns must be pairs such as Titel:title, separated by commas.'
      throw new Failure('invalid_parameter', detail, { parameter: 'columns' })
    }),
  )
}

/** One problem for all columns. */
export function refuseColumns(errors: readonly InvalidField[]): void {
  const [first] = errors
  if (first === undefined) return
  const others = errors.length > 1 ? ` And ${errors.length - 1} more.` : ''
  const isUnknown = first.code === 'unknown_column'
  const fix = isUnknown ? ' Remove it, or use a column of the export.' : ''
  throw new Failure('bad_csv', `${first.detail.replace(/[^?]$/, '$&.')}${fix}${others}`, {
    errors: errors.slice(0, limits.errorsMax),
  })
}
