import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { projectQuery } from '#kit/references/projects.ts'
import type { DayOrder } from '#pages/import/columns/field.ts'
import type { Identity } from '#pages/import/columns/identity.ts'
import type { Mapping } from '#pages/import/columns/match.ts'
import type { Sheet } from '#pages/import/read/sheet.ts'

import {
  correctCells,
  type EditHistory,
  type Edits,
  editsOf,
  noEdits,
  type RefusedPart,
  refuseRows,
  undoCorrection,
} from './edits.ts'
import { judgeCells, type JudgedCells, noCells } from './judge.ts'
import { findWrongCells, type Place, type Plan } from './plan.ts'
import { useDirectory } from './use-directory.ts'

interface Source {
  readonly sheet: Sheet
  /** The project of all rows, if the user chose one. */
  readonly projectId: string | null
}

/** What the columns of the file are. */
interface Columns {
  readonly mapping: Mapping
  readonly orders: readonly (DayOrder | null)[]
  readonly identity: Identity
}

export interface Cells {
  /** Null while the people and projects load. */
  readonly plan: Plan | null
  readonly error: unknown
  readonly cells: JudgedCells
  readonly edits: Edits
  readonly correct: (places: readonly [Place, ...Place[]], text: string) => void
  /** Takes back the last correction, and returns its place. */
  readonly undo: () => Place | null
  /** Records what the service refused. */
  readonly refuse: (errors: readonly RefusedPart[]) => void
}

/** The cells of a file: those that are wrong, and their corrections. */
export function useCells({ sheet, projectId }: Source, columns: Columns): Cells {
  const { mapping, identity } = columns
  const { data: directory, error } = useDirectory(mapping)
  const { data: project, error: projectError } = useQuery({
    ...projectQuery(projectId ?? ''),
    enabled: projectId !== null,
  })
  const [history, setHistory] = useState<EditHistory>(noEdits)
  const projectCode = project?.code ?? null
  const ordersKey = columns.orders.join()
  const plan = useMemo((): Plan | null => {
    if (directory === undefined || (projectId !== null && projectCode === null)) return null
    const orders = ordersKey.split(',').map((each) => (each === 'month-first' ? each : 'day-first'))
    return { sheet, mapping, orders, identity, directory, projectCode }
  }, [sheet, mapping, ordersKey, identity, directory, projectId, projectCode])
  const found = useMemo(() => (plan === null ? [] : findWrongCells(plan)), [plan])
  const edits = useMemo(() => editsOf(history, plan), [plan, history])
  const cells = useMemo(
    () => (plan === null ? noCells : judgeCells(plan, found, edits)),
    [plan, found, edits],
  )
  const undo = () => {
    const undone = undoCorrection(history)
    if (undone !== null) setHistory(undone.history)
    return undone?.place ?? null
  }
  return {
    plan,
    error: error ?? projectError,
    cells,
    edits,
    correct: (places, text) =>
      plan !== null && setHistory((before) => correctCells(before, plan, { places, text })),
    undo,
    refuse: (errors) => plan !== null && setHistory((before) => refuseRows(before, plan, errors)),
  }
}
