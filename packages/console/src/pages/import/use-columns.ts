import { useMemo, useState } from 'react'

import { detectOrder } from './cells/day.ts'
import type { DayOrder, ImportField } from './columns/field.ts'
import { fieldsOf, type Kind } from './columns/fields.ts'
import { type Identity, identitiesOf } from './columns/identity.ts'
import {
  changeColumn,
  isSetByService,
  type Mapping,
  matchColumns,
  missingFields,
} from './columns/match.ts'
import { fileOf, recalledMapping } from './columns/remembered.ts'
import { useRememberedColumns } from './columns/use-remembered.ts'
import type { Sheet } from './read/sheet.ts'
import { kinds } from './run/kinds.ts'

interface Source {
  readonly sheet: Sheet
  readonly kind: Kind
  /** The project of all rows, if the user chose one. */
  readonly projectId: string | null
}

type Orders = readonly (DayOrder | null)[]

/** What the user decides about the columns. */
export interface ColumnChoices {
  readonly mapping: Mapping
  /** The order in the dates of each column; null if the user must say it. */
  readonly orders: Orders
  /** The columns whose dates the file alone does not explain. */
  readonly asked: readonly number[]
  readonly identities: readonly Identity[]
  readonly identity: Identity
  readonly missing: readonly ImportField[]
  readonly needsProject: boolean
  /** Whether nothing is missing. */
  readonly isComplete: boolean
  /** Whether the choices are those of an earlier file with the same header. */
  readonly isRecalled: boolean
  readonly setField: (at: number, field: ImportField | null) => void
  readonly setOrder: (at: number, order: DayOrder) => void
  readonly setIdentity: (identity: Identity) => void
  /** Keeps the choices for the next file with this header. */
  readonly remember: () => void
  /** Forgets them, and matches the columns by their names again. */
  readonly forget: () => void
}

interface Chosen {
  readonly mapping: Mapping
  readonly orders: ReadonlyMap<number, DayOrder>
  readonly identity: Identity | null
}

/** What the user chose, or chose for an earlier file. */
function useChosen({ sheet, kind }: Source) {
  const file = useMemo(() => fileOf(kind, sheet.columns), [kind, sheet])
  const { recalled, remember, forget } = useRememberedColumns(file)
  const matched = (): Chosen => ({
    mapping: matchColumns(sheet.columns, fieldsOf[kind]),
    orders: new Map(),
    identity: null,
  })
  const [chosen, setChosen] = useState((): Chosen => {
    if (recalled === null) return matched()
    const { orders, identity } = recalled
    const entries = orders.flatMap((order, at) => (order === null ? [] : [[at, order] as const]))
    return {
      mapping: recalledMapping(recalled, fieldsOf[kind]),
      orders: new Map(entries),
      identity,
    }
  })
  const [isRecalled, setRecalled] = useState(recalled !== null)
  const reset = () => {
    forget()
    setRecalled(false)
    setChosen(matched())
  }
  return { chosen, setChosen, isRecalled, remember, forget: reset }
}

/** The columns of a file: the matched fields, and what the user changes. */
export function useColumns(source: Source): ColumnChoices {
  const { sheet, kind, projectId } = source
  const { chosen, setChosen, isRecalled, remember, forget } = useChosen(source)
  const { mapping } = chosen
  const detected = useMemo(
    () => mapping.map((field, at) => orderIn(sheet, { field, at })),
    [sheet, mapping],
  )
  const identities = useMemo(() => identitiesOf(kind, sheet, mapping), [kind, sheet, mapping])
  const [best = 'none'] = identities
  const identity = identities.find((each) => each === chosen.identity) ?? best
  const orders = detected.map((order, at) => order ?? chosen.orders.get(at) ?? null)
  // A file of changes alone names records, and not all that a new one needs.
  const isOfChanges = identity === 'id' || identity === 'ref'
  const missing = isOfChanges ? [] : missingFields(mapping, fieldsOf[kind])
  const hasProject = mapping.some((field) => field?.name.startsWith('project_') === true)
  const needsProject = kinds[kind].isInProject && !hasProject && projectId === null
  const change = (part: (before: Chosen) => Partial<Chosen>) =>
    setChosen((before) => ({ ...before, ...part(before) }))
  return {
    mapping,
    orders,
    asked: detected.flatMap((order, at) => (order === null ? [at] : [])),
    identities,
    identity,
    missing,
    needsProject,
    isComplete: missing.length === 0 && !needsProject && !orders.includes(null),
    isRecalled,
    setField: (at, field) =>
      change((before) => ({ mapping: changeColumn(before.mapping, at, field) })),
    setOrder: (at, order) =>
      change((before) => ({ orders: new Map(before.orders).set(at, order) })),
    setIdentity: (value) => change(() => ({ identity: value })),
    remember: () =>
      remember({
        fields: mapping.map((field) => field?.name ?? null),
        orders: mapping.map((_, at) => chosen.orders.get(at) ?? null),
        identity: chosen.identity,
      }),
    forget,
  }
}

function orderIn({ rows }: Sheet, { field, at }: { field: ImportField | null; at: number }) {
  const isDay = field?.type === 'day' || field?.type === 'moment'
  return isDay ? detectOrder(rows.map(({ cells }) => (cells[at] ?? '').trim())) : 'day-first'
}

/** Whether every column became a field, so that there is nothing to ask. */
export const areCertain = (
  { sheet }: Pick<Source, 'sheet'>,
  { mapping, orders, missing }: ColumnChoices,
) =>
  missing.length === 0 &&
  !orders.includes(null) &&
  sheet.columns.every((column, at) => mapping[at] !== null || isSetByService(column))
