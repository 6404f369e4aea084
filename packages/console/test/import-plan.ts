import { parseCsv } from '#data/parse-csv.ts'
import { directoryOf } from '#pages/import/cells/directory.ts'
import type { Plan } from '#pages/import/cells/plan.ts'
import { fieldsOf, type Kind } from '#pages/import/columns/fields.ts'
import { identitiesOf, type Identity } from '#pages/import/columns/identity.ts'
import { matchColumns } from '#pages/import/columns/match.ts'

const people = [
  { id: 'usr_1', name: 'Mara Lindqvist', email: 'Mara@x.se' },
  { id: 'usr_2', name: 'Tomáš Kolář', email: null },
  { id: 'usr_3', name: 'Kim Berg', email: 'kim1@x.se' },
  { id: 'usr_4', name: 'Kim Berg', email: 'kim2@x.se' },
]
const projects = [
  { id: 'prj_1', code: 'DAM', name: 'Norrfors dam' },
  { id: 'prj_2', code: 'TUN', name: 'Kvarnberg tunnel' },
]

interface Options {
  readonly kind?: Kind
  readonly identity?: Identity
  readonly projectCode?: string
}

/** The plan of a CSV file whose columns match by their names. */
export function planOf(csv: string, { kind = 'risks', identity, projectCode }: Options = {}): Plan {
  const { header, rows } = parseCsv(csv)
  const format = { type: 'csv', encoding: 'UTF-8', separator: ';' } as const
  const sheet = { columns: header.cells, rows, malformed: [], format }
  const mapping = matchColumns(sheet.columns, fieldsOf[kind])
  const [best = 'none'] = identitiesOf(kind, sheet, mapping)
  return {
    sheet,
    mapping,
    orders: mapping.map(() => 'day-first'),
    identity: identity ?? best,
    directory: directoryOf(people, projects),
    projectCode: projectCode ?? null,
  }
}
