import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { projectQuery } from '#kit/references/projects.ts'

import { type DayOrder, detectOrder } from './cells/day.ts'
import {
  type Corrections,
  findWrongCells,
  type Plan,
  placeOf,
  type WrongCell,
} from './cells/plan.ts'
import { useDirectory } from './cells/use-directory.ts'
import type { ImportField } from './columns/field.ts'
import { fieldsOf, type Kind } from './columns/fields.ts'
import { type Identity, identitiesOf } from './columns/identity.ts'
import {
  changeColumn,
  isSetByService,
  type Mapping,
  matchColumns,
  missingFields,
} from './columns/match.ts'
import { kinds } from './kinds.ts'
import type { Sheet } from './read/sheet.ts'

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
  readonly setField: (at: number, field: ImportField | null) => void
  readonly setOrder: (at: number, order: DayOrder) => void
  readonly setIdentity: (identity: Identity) => void
}

/** The columns of a file: the matched fields, and what the user changes. */
export function useColumns({ sheet, kind, projectId }: Source): ColumnChoices {
  const [mapping, setMapping] = useState(() => matchColumns(sheet.columns, fieldsOf[kind]))
  const [chosenOrders, setOrders] = useState<ReadonlyMap<number, DayOrder>>(new Map())
  const [chosenIdentity, setIdentity] = useState<Identity | null>(null)
  const detected = useMemo(
    () => mapping.map((field, at) => orderIn(sheet, { field, at })),
    [sheet, mapping],
  )
  const identities = useMemo(() => identitiesOf(kind, sheet, mapping), [kind, sheet, mapping])
  const [best = 'none'] = identities
  const identity = identities.find((each) => each === chosenIdentity) ?? best
  const orders = detected.map((order, at) => chosenOrders.get(at) ?? order)
  // A file of changes alone names records, and not all that a new one needs.
  const isOfChanges = identity === 'id' || identity === 'ref'
  const missing = isOfChanges ? [] : missingFields(mapping, fieldsOf[kind])
  const hasProject = mapping.some((field) => field?.name.startsWith('project_') === true)
  const needsProject = kinds[kind].isInProject && !hasProject && projectId === null
  return {
    mapping,
    orders,
    asked: detected.flatMap((order, at) => (order === null ? [at] : [])),
    identities,
    identity,
    missing,
    needsProject,
    isComplete: missing.length === 0 && !needsProject && !orders.includes(null),
    setField: (at, field) => setMapping((before) => changeColumn(before, at, field)),
    setOrder: (at, order) => setOrders((before) => new Map(before).set(at, order)),
    setIdentity,
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

interface Cells {
  /** Null while the people and projects load. */
  readonly plan: Plan | null
  readonly error: unknown
  readonly wrong: readonly WrongCell[]
  readonly corrections: Corrections
  readonly correct: (cells: readonly WrongCell[], text: string) => void
}

/** The cells of a file: those that are wrong, and their corrections. */
export function useCells({ sheet, projectId }: Source, columns: ColumnChoices): Cells {
  const { mapping, identity } = columns
  const { data: directory, error } = useDirectory(mapping)
  const { data: project, error: projectError } = useQuery({
    ...projectQuery(projectId ?? ''),
    enabled: projectId !== null,
  })
  const [allCorrections, setCorrections] = useState<Corrections>(new Map())
  const projectCode = project?.code ?? null
  const ordersKey = columns.orders.join()
  const plan = useMemo((): Plan | null => {
    if (directory === undefined || (projectId !== null && projectCode === null)) return null
    const orders = ordersKey.split(',').map((each) => (each === 'month-first' ? each : 'day-first'))
    return { sheet, mapping, orders, identity, directory, projectCode }
  }, [sheet, mapping, ordersKey, identity, directory, projectId, projectCode])
  const wrong = useMemo(() => (plan === null ? [] : findWrongCells(plan)), [plan])
  // A column that has another field now has other wrong cells.
  const corrections = useMemo(() => {
    const places = new Set(wrong.map(placeOf))
    return new Map([...allCorrections].filter(([place]) => places.has(place)))
  }, [wrong, allCorrections])
  const correct: Cells['correct'] = (cells, text) =>
    setCorrections((before) => {
      const after = new Map(before)
      for (const cell of cells) after.set(placeOf(cell), text)
      return after
    })
  return { plan, error: error ?? projectError, wrong, corrections, correct }
}
