import { Text } from '@mantine/core'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { t } from '#text/index.ts'

import { placeOfError } from './cells/edits.ts'
import { convertTable, indexOfColumn, type Plan } from './cells/plan.ts'
import { type Cells, useCells } from './cells/use-cells.ts'
import { ColumnsStep } from './columns-step.tsx'
import type { Kind } from './columns/fields.ts'
import { matchOf } from './columns/identity.ts'
import { FixStep } from './fix/fix-step.tsx'
import { ImportSteps } from './import-steps.tsx'
import { sentence } from './parts/readable-ids.ts'
import type { Sheet } from './read/sheet.ts'
import type { RowError } from './run/dry-run.ts'
import { kinds, type Target } from './run/kinds.ts'
import type { LeftOut } from './run/report.ts'
import type { ImportRun } from './run/use-import.ts'
import type { WizardStep } from './step-trail.tsx'
import { areCertain, type ColumnChoices, useColumns } from './use-columns.ts'

export interface WizardProps {
  readonly name: string
  readonly sheet: Sheet
  readonly kind: Kind
  readonly projectId: string | null
  readonly onStep: (step: WizardStep) => void
  readonly onPhase: (phase: ImportRun['phase']) => void
  readonly onEnd: () => void
}

type Stage = 'columns' | 'fix' | 'check'

/** Leads from the columns of a file to its import. A step with nothing to decide is skipped. */
export function Wizard(props: WizardProps) {
  const { sheet, onStep } = props
  const columns = useColumns(props)
  const cells = useCells(props, columns)
  const [stage, setStage] = useState<Stage>(() =>
    areCertain({ sheet }, columns) ? 'fix' : 'columns',
  )
  const isFixed = stage === 'fix' && !hasCells(cells)
  const step = columns.isComplete ? (isFixed ? 'check' : stage) : 'columns'
  useEffect(() => onStep(step), [onStep, step])
  const goOn = () => {
    columns.remember()
    setStage('fix')
  }
  return (
    <FocusOnChange value={step}>
      {step === 'columns' ? (
        <ColumnsStep {...props} columns={columns} onNext={goOn} />
      ) : (
        <CellSteps {...props} {...{ columns, cells, step, setStage }} />
      )}
    </FocusOnChange>
  )
}

/** Whether a cell is wrong, or was corrected. */
const hasCells = ({ cells: { wrong, fixed } }: Cells) => wrong.length + fixed.length > 0

interface CellProps extends Omit<WizardProps, 'onStep'> {
  readonly columns: ColumnChoices
  readonly cells: Cells
  readonly step: 'fix' | 'check'
  readonly setStage: (stage: Stage) => void
}

function CellSteps(props: CellProps) {
  const { cells, step, setStage } = props
  const { plan, error } = cells
  if (error !== null) return <ProblemNotice error={error} />
  if (plan === null) return <Text role="status">{t('import.directory')}</Text>
  if (step === 'fix') {
    const steps = { onBack: () => setStage('columns'), onNext: () => setStage('check') }
    return <FixStep {...cells} {...steps} plan={plan} />
  }
  const back = () => setStage(hasCells(cells) ? 'fix' : 'columns')
  return <CheckStep {...props} plan={plan} onBack={back} onCorrect={() => setStage('fix')} />
}

interface FocusProps {
  readonly value: string
  readonly children: React.ReactNode
}

/** Moves the focus into a step that replaced another one, which had it. */
function FocusOnChange({ value, children }: FocusProps) {
  const part = useRef<HTMLDivElement>(null)
  const before = useRef(value)
  useEffect(() => {
    if (before.current !== value) part.current?.focus({ preventScroll: true })
    before.current = value
  }, [value])
  return (
    <div ref={part} tabIndex={-1}>
      {children}
    </div>
  )
}

interface CheckProps extends CellProps {
  readonly plan: Plan
  readonly onBack: () => void
  readonly onCorrect: () => void
}

/** Why rows are not imported, by their lines. */
function leftOutOf({ sheet }: Plan, { cells, edits }: Cells): LeftOut {
  const faults = cells.wrong.map(({ row, at, fault, detail }) => {
    const reason = fault === 'refused' ? sentence(detail ?? '') : t(`import.cell.${fault}`)
    return [sheet.rows[row]?.line ?? 0, `${sheet.columns[at] ?? ''}: ${reason}`] as const
  })
  return new Map([...edits.rowRefusals, ...faults])
}

function CheckStep(props: CheckProps) {
  const { name, sheet, kind, projectId, columns, cells, plan } = props
  const leftOut = useMemo(() => leftOutOf(plan, cells), [plan, cells])
  const table = useMemo(
    () =>
      convertTable(plan, {
        corrections: cells.edits.corrections,
        leftOut: new Set(leftOut.keys()),
      }),
    [plan, cells.edits, leftOut],
  )
  const nameOf = useCallback(
    (column: string) => sheet.columns[indexOfColumn(plan, column)] ?? column,
    [plan, sheet],
  )
  const hasProject = plan.mapping.some((field) => field?.name.startsWith('project_') === true)
  const target: Target = {
    kind,
    projectId: kinds[kind].isInProject && !hasProject ? projectId : null,
    match: matchOf(columns.identity),
  }
  const isOfCell = (error: RowError) => placeOfError(plan, error) !== null
  const correct = (errors: readonly RowError[]) => {
    cells.refuse(errors.filter(isOfCell))
    props.onCorrect()
  }
  return (
    <ImportSteps
      // Another table is another import.
      key={table.rows.length}
      source={{ name, lines: sheet.rows.map(({ line }) => line), leftOut, nameOf }}
      table={table}
      target={target}
      isOfCell={isOfCell}
      onPhase={props.onPhase}
      onBack={props.onBack}
      onCorrect={correct}
      onLeaveOut={cells.refuse}
      onEnd={props.onEnd}
    />
  )
}
