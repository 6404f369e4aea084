import { Text } from '@mantine/core'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { t } from '#text/index.ts'

import { convertAt, convertTable, placeOf, type Plan } from './cells/plan.ts'
import { ColumnsStep } from './columns-step.tsx'
import type { Kind } from './columns/fields.ts'
import { matchOf } from './columns/identity.ts'
import type { RowError } from './dry-run.ts'
import { FixStep } from './fix-step.tsx'
import { ImportSteps } from './import-steps.tsx'
import { kinds, type Target } from './kinds.ts'
import type { Sheet } from './read/sheet.ts'
import type { LeftOut } from './report.ts'
import type { WizardStep } from './step-trail.tsx'
import type { ImportRun } from './use-import.ts'
import { areCertain, type ColumnChoices, useCells, useColumns } from './use-wizard.ts'

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
  const isFixed = stage === 'fix' && cells.wrong.length === 0
  const step = columns.isComplete ? (isFixed ? 'check' : stage) : 'columns'
  useEffect(() => onStep(step), [onStep, step])
  return (
    <FocusOnChange value={step}>
      {step === 'columns' ? (
        <ColumnsStep {...props} columns={columns} onNext={() => setStage('fix')} />
      ) : (
        <CellSteps {...props} {...{ columns, cells, step, setStage }} />
      )}
    </FocusOnChange>
  )
}

interface CellProps extends Omit<WizardProps, 'onStep'> {
  readonly columns: ColumnChoices
  readonly cells: ReturnType<typeof useCells>
  readonly step: 'fix' | 'check'
  readonly setStage: (stage: Stage) => void
}

function CellSteps(props: CellProps) {
  const { cells, step, setStage } = props
  const { plan, error, wrong } = cells
  if (error !== null) return <ProblemNotice error={error} />
  if (plan === null) return <Text role="status">{t('import.directory')}</Text>
  if (step === 'fix') {
    const steps = { onBack: () => setStage('columns'), onNext: () => setStage('check') }
    return <FixStep {...cells} {...steps} plan={plan} />
  }
  const back = () => setStage(wrong.length > 0 ? 'fix' : 'columns')
  return <CheckStep {...props} plan={plan} onBack={back} />
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
}

function CheckStep(props: CheckProps) {
  const { name, sheet, kind, projectId, columns, cells, plan } = props
  const { wrong, corrections } = cells
  /** The rows that the service refused and the user left out. */
  const [refused, setRefused] = useState<LeftOut>(new Map())
  const { table, fileColumns } = useMemo(
    () => convertTable(plan, { corrections, leftOut: new Set(refused.keys()) }),
    [plan, corrections, refused],
  )
  const leftOut = useMemo(() => {
    const faults = wrong.flatMap((cell) => {
      const text = corrections.get(placeOf(cell)) ?? cell.text
      const fault = convertAt(plan, cell, text)?.fault ?? null
      const column = sheet.columns[cell.at] ?? ''
      const line = sheet.rows[cell.row]?.line ?? 0
      return fault === null ? [] : [[line, `${column}: ${t(`import.cell.${fault}`)}`] as const]
    })
    return new Map([...refused, ...faults])
  }, [plan, wrong, corrections, refused, sheet])
  const nameOf = useCallback((column: string) => fileColumns.get(column) ?? column, [fileColumns])
  const hasProject = plan.mapping.some((field) => field?.name.startsWith('project_') === true)
  const target: Target = {
    kind,
    projectId: kinds[kind].isInProject && !hasProject ? projectId : null,
    match: matchOf(columns.identity),
  }
  const leaveOut = (errors: readonly RowError[]) => {
    const reasons = errors.map(({ line, column, detail }) => {
      return [line, column === null ? detail : `${nameOf(column)}: ${detail}`] as const
    })
    setRefused(new Map([...refused, ...reasons]))
  }
  return (
    <ImportSteps
      // Another table is another import.
      key={table.rows.length}
      source={{ name, lines: sheet.rows.map(({ line }) => line), leftOut, nameOf }}
      table={table}
      target={target}
      onPhase={props.onPhase}
      onBack={props.onBack}
      onLeaveOut={leaveOut}
      onEnd={props.onEnd}
    />
  )
}
