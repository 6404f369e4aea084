import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'

import type { Table } from '#data/parse-csv.ts'
import { useWhoami } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { Section } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { dryRun, type DryRunResult, type ImportJob, type RowError } from './dry-run.ts'
import { ImportStatus } from './import-status.tsx'
import type { Target } from './kinds.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { Preview } from './preview.tsx'
import type { ImportSource } from './report.ts'
import { RowErrorTable } from './row-error-table.tsx'
import { splitTable } from './split.ts'
import { type ImportRun, useImport } from './use-import.ts'

interface Props {
  readonly source: ImportSource
  readonly table: Table
  readonly target: Target
  readonly onPhase: (phase: ImportRun['phase']) => void
  readonly onBack: () => void
  readonly onLeaveOut: (errors: readonly RowError[]) => void
  readonly onEnd: () => void
}

/** Checks the rows with a dry run, then imports them. */
export function ImportSteps(props: Props) {
  const { source, table, target, onPhase, onEnd } = props
  const { limits } = useWhoami()
  const { batch_rows_max: rowsMax, batch_bytes_max: bytesMax } = limits
  // Computed once: progress is counted in batches, so they must not change.
  const [batches] = useState(() => splitTable(table, { rowsMax, bytesMax }))
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

interface DryRunStepProps extends Pick<Props, 'source' | 'onBack' | 'onLeaveOut'> {
  readonly job: ImportJob
  readonly onImport: () => Promise<void>
  readonly onAgain: () => void
}

function DryRunStep(props: DryRunStepProps) {
  const { job, onAgain, onBack } = props
  const { done, dryRunResult, error } = useDryRun(job)
  const count = job.table.rows.length
  return (
    <Section
      title={t('import.check')}
      rightSection={
        <Button variant="default" onClick={onBack}>
          {t('import.back')}
        </Button>
      }
    >
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
    </Section>
  )
}

interface RefusedProps extends Pick<DryRunStepProps, 'source' | 'job' | 'onLeaveOut'> {
  readonly errors: readonly RowError[]
}

/** The rows that the service refuses. They can be left out, or corrected in the file. */
function Refused({ source, job, errors, onLeaveOut }: RefusedProps) {
  const rows = new Set(errors.map(({ line }) => line)).size
  return (
    <Stack>
      <Alert color="red" variant="light" role="alert">
        <Text fw={600}>{t('import.invalid', { count: errors.length })}</Text>
        <Text size="sm">
          {t('import.invalid.about')} {t('import.invalid.rounds', { most: errorsPerBatchMax })}
        </Text>
      </Alert>
      <RowErrorTable errors={errors} nameOf={source.nameOf} />
      {rows < job.table.rows.length && (
        <div>
          <Button variant="default" onClick={() => onLeaveOut(errors)}>
            {t('import.leave-out', { count: rows })}
          </Button>
        </div>
      )}
    </Stack>
  )
}

/** The API reports at most this many errors per batch. */
const errorsPerBatchMax = 50

interface ReadyProps extends Pick<DryRunStepProps, 'source' | 'job' | 'onImport'> {
  readonly dryRunResult: DryRunResult
}

function Ready({ source, job: { table, batches }, dryRunResult, onImport }: ReadyProps) {
  const { counts } = dryRunResult
  const count = table.rows.length
  const isEmpty = counts.created + counts.changed === 0
  return (
    <Stack>
      <div>
        <Text role="status" fw={600}>
          {t('import.fine', { count })}
        </Text>
        <Text size="sm">{t('import.in-parts', { count: batches.length })}</Text>
      </div>
      <Preview
        table={table}
        dryRunResult={dryRunResult}
        leftOut={source.leftOut.size}
        nameOf={source.nameOf}
      />
      <Group>
        <ActionButton
          variant="filled"
          onClick={() => void onImport()}
          reason={isEmpty ? t('import.nothing') : null}
        >
          {t('import.do', { count })}
        </ActionButton>
        {isEmpty && <Text size="sm">{t('import.nothing')}</Text>}
      </Group>
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
