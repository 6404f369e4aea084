import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'

import type { Table } from '#data/parse-csv.ts'
import { useWhoami } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { t } from '#text/index.ts'

import { ImportStatus } from './import-status.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { BarActions } from './parts/bar-actions.tsx'
import { Preview } from './preview/preview.tsx'
import { RowErrorTable } from './row-error-table.tsx'
import {
  dryRun,
  type DryRunResult,
  type ImportCounts,
  type ImportJob,
  type RowError,
} from './run/dry-run.ts'
import type { Target } from './run/kinds.ts'
import type { ImportSource } from './run/report.ts'
import { splitTable } from './run/split.ts'
import { type ImportRun, useImport } from './run/use-import.ts'

interface Props {
  readonly source: ImportSource
  readonly table: Table
  readonly target: Target
  readonly onPhase: (phase: ImportRun['phase']) => void
  /** Whether the error is about a cell that can be corrected here. */
  readonly isOfCell: (error: RowError) => boolean
  readonly onBack: () => void
  readonly onCorrect: (errors: readonly RowError[]) => void
  readonly onLeaveOut: (errors: readonly RowError[]) => void
  readonly onEnd: () => void
}

/** Checks the rows with a dry run, then imports them. */
export function ImportSteps(props: Props) {
  const { source, table, target, onPhase, onEnd } = props
  const { limits } = useWhoami()
  // Computed once: progress is counted in batches, so they must not change.
  const [batches] = useState(() =>
    splitTable(table, {
      rowsMax: limits.batch_rows_max,
      bytesMax: limits.batch_bytes_max,
      projectsMax: limits.batch_projects_max,
    }),
  )
  const job = { target, table, batches }
  const importRun = useImport(job)
  const [attempt, setAttempt] = useState(0)
  const { phase } = importRun
  useEffect(() => onPhase(phase), [phase, onPhase])
  useEffect(() => () => onPhase('ready'), [onPhase])
  return (
    <>
      {phase === 'ready' ? (
        <DryRunStep
          key={attempt}
          {...props}
          job={job}
          onImport={importRun.start}
          onAgain={() => setAttempt(attempt + 1)}
        />
      ) : (
        <ImportStatus source={source} job={job} importRun={importRun} onEnd={onEnd} />
      )}
      <LeaveGuard isBusy={phase === 'running'} stop={importRun.stop} />
    </>
  )
}

interface DryRunStepProps extends Omit<Props, 'table' | 'target' | 'onPhase' | 'onEnd'> {
  readonly job: ImportJob
  readonly onImport: () => Promise<void>
  readonly onAgain: () => void
}

function DryRunStep(props: DryRunStepProps) {
  const { job, onAgain, onBack } = props
  const { done, dryRunResult, error } = useDryRun(job)
  const count = job.table.rows.length
  return (
    <section aria-label={t('import.check')}>
      <BarActions>
        <Button variant="default" onClick={onBack}>
          {t('import.back')}
        </Button>
        {dryRunResult?.errors.length === 0 && (
          <ImportButton {...props} counts={dryRunResult.counts} />
        )}
      </BarActions>
      {error !== null && (
        <Stack align="flex-start">
          <Text>{t('import.check.failed')}</Text>
          <ProblemNotice error={error} />
          <Button onClick={onAgain}>{t('import.check.again')}</Button>
        </Stack>
      )}
      {error === null && dryRunResult === null && (
        <Stack gap="xs">
          <Text role="status">{t('import.checking', { done, count })}</Text>
          <Progress value={(100 * done) / count} aria-label={t('import.check')} />
        </Stack>
      )}
      {dryRunResult && dryRunResult.errors.length > 0 && (
        <Refused {...props} errors={dryRunResult.errors} />
      )}
      {dryRunResult && dryRunResult.errors.length === 0 && (
        <Ready {...props} dryRunResult={dryRunResult} />
      )}
    </section>
  )
}

interface ImportButtonProps extends Pick<DryRunStepProps, 'job' | 'onImport'> {
  readonly counts: ImportCounts
}

const isEmpty = ({ created, changed }: ImportCounts) => created + changed === 0

const ImportButton = ({ job, onImport, counts }: ImportButtonProps) => (
  <ActionButton
    variant="filled"
    onClick={() => void onImport()}
    reason={isEmpty(counts) ? t('import.nothing') : null}
  >
    {t('import.do', { count: job.table.rows.length })}
  </ActionButton>
)

interface RefusedProps extends DryRunStepProps {
  readonly errors: readonly RowError[]
}

/** The rows that the service refuses. Their cells can be corrected, or they are left out. */
function Refused({ source, job, errors, isOfCell, onCorrect, onLeaveOut }: RefusedProps) {
  const rows = new Set(errors.map(({ line }) => line)).size
  const cells = errors.filter(isOfCell).length
  return (
    <Stack>
      <Alert color="red" variant="light" role="alert">
        <Text fw={600}>{t('import.invalid', { count: errors.length })}</Text>
        <Text size="sm">
          {t('import.invalid.about')} {t('import.invalid.rounds', { most: errorsPerBatchMax })}
        </Text>
      </Alert>
      <RowErrorTable errors={errors} nameOf={source.nameOf} />
      <Group>
        {cells > 0 && (
          <Button variant="filled" onClick={() => onCorrect(errors)}>
            {t('import.correct', { count: cells })}
          </Button>
        )}
        {rows < job.table.rows.length && (
          <Button variant="default" onClick={() => onLeaveOut(errors)}>
            {t('import.leave-out', { count: rows })}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** The API reports at most this many errors per batch. */
const errorsPerBatchMax = 50

interface ReadyProps extends Pick<DryRunStepProps, 'source' | 'job'> {
  readonly dryRunResult: DryRunResult
}

function Ready({ source, job, dryRunResult }: ReadyProps) {
  const { table, batches } = job
  return (
    <Stack>
      <div>
        <Text role="status" fw={600}>
          {t('import.fine', { count: table.rows.length })}
          {isEmpty(dryRunResult.counts) && ` ${t('import.nothing')}`}
        </Text>
        <Text size="sm">{t('import.in-parts', { count: batches.length })}</Text>
      </div>
      <Preview job={job} dryRunResult={dryRunResult} source={source} />
    </Stack>
  )
}

interface DryRunState {
  readonly done: number
  readonly dryRunResult: DryRunResult | null
  readonly error: unknown
}

/** Runs the dry run on mount. The parent remounts it for another file or target. */
function useDryRun(job: ImportJob) {
  const [state, setState] = useState<DryRunState>({ done: 0, dryRunResult: null, error: null })
  const [initialJob] = useState(job)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState({ done: 0, dryRunResult: null, error: null })
    const onProgress = (done: number) => setState((before) => ({ ...before, done }))
    dryRun({ ...initialJob, signal, onProgress }).then(
      (dryRunResult) => setState((before) => ({ ...before, dryRunResult })),
      (error: unknown) => signal.aborted || setState((before) => ({ ...before, error })),
    )
    return () => controller.abort()
  }, [initialJob])
  return state
}
