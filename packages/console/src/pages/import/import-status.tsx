import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { NoAnswerError, ProblemError } from '@muster/client'

import { type Batch, type Table, toCsv } from '#data/parse-csv.ts'
import { download } from '#kit/feedback/download.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { ButtonLink } from '#kit/parts/links.tsx'
import { Section } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { RowErrorTable } from './row-error-table.tsx'
import { type ImportCounts, type ImportJob, rowErrors } from './run/dry-run.ts'
import type { Target } from './run/kinds.ts'
import { reportCsv, type ImportSource } from './run/report.ts'
import type { ImportRun } from './run/use-import.ts'

interface Props {
  readonly source: ImportSource
  readonly job: ImportJob
  readonly importRun: ImportRun
  readonly onEnd: () => void
}

/** Progress and result of an import. */
export function ImportStatus(props: Props) {
  const { table, batches } = props.job
  const { importRun } = props
  const count = table.rows.length
  const done = batches.slice(0, importRun.done).reduce((sum, { rows }) => sum + rows.length, 0)
  const isBusy = importRun.phase === 'running'
  const isWhole = done === count
  return (
    <Section title={t('import.doing')}>
      <Stack>
        <Progress value={(100 * done) / count} aria-label={t('import.doing')} />
        {isBusy && <RunningImport importRun={importRun} done={done} count={count} />}
        {!isBusy && isWhole && <Done {...props} />}
        {!isBusy && !isWhole && <Stopped {...props} done={done} />}
      </Stack>
    </Section>
  )
}

interface RunningProps {
  readonly importRun: ImportRun
  readonly done: number
  readonly count: number
}

function RunningImport({ importRun, done, count }: RunningProps) {
  return (
    <Group justify="space-between">
      <Text role="status">{t('import.progress', { done, count })}</Text>
      <ActionButton
        variant="default"
        onClick={importRun.stop}
        reason={importRun.isStopping ? t('import.stopping') : null}
      >
        {t('import.stop')}
      </ActionButton>
    </Group>
  )
}

const countsText = (counts: ImportCounts) => t('import.counts', { ...counts })

function Done(props: Props) {
  const { source, job, importRun, onEnd } = props
  const { table, target } = job
  return (
    <>
      <div>
        <Text role="status" fw={600}>
          {t('import.done', { count: table.rows.length })}
        </Text>
        <Text size="sm">{countsText(importRun.counts)}</Text>
        {source.leftOut.size > 0 && (
          <Text size="sm">{t('import.done.left-out', { count: source.leftOut.size })}</Text>
        )}
      </div>
      <Group>
        <ButtonLink {...resultsLink(target)}>{t(`import.see.${target.kind}`)}</ButtonLink>
        <ReportButton {...props} />
        <Button variant="default" onClick={onEnd}>
          {t('import.another')}
        </Button>
      </Group>
    </>
  )
}

const resultsLink = ({ kind, projectId }: Target) => ({
  to: `/${kind}` as const,
  search: projectId === null ? {} : { project_id: projectId },
})

/** Downloads what was done with each row of the file. */
function ReportButton({ source: { name, lines, leftOut }, importRun }: Props) {
  const file = t('import.report.name', { name: name.replace(/\.\w+$/, '') })
  const save = () => download(file, reportCsv({ lines, leftOut, results: importRun.results }))
  return (
    <Button variant="default" onClick={save}>
      {t('import.report')}
    </Button>
  )
}

/** A stopped import: what was imported, what was not, why, and how to resume without duplicates. */
function Stopped(props: Props & { readonly done: number }) {
  const { source, job, importRun, done } = props
  const { header, rows } = job.table
  const remaining = rows.slice(done)
  const lines = { first: remaining[0]?.line ?? 0, last: remaining.at(-1)?.line ?? 0 }
  const batch = job.batches[importRun.done]
  return (
    <>
      <Alert color="red" variant="light" role="alert">
        <Text fw={600}>{t('import.stopped', { done, count: rows.length })}</Text>
        <Text size="sm">{importedText(rows.slice(0, done), importRun.counts)}</Text>
        <Text size="sm">
          {importRun.error instanceof NoAnswerError
            ? t('import.stopped.unknown', lines)
            : t('import.stopped.rest', { count: remaining.length, ...lines })}
        </Text>
        {done > 0 && job.target.match === null && (
          <Text size="sm">{t('import.stopped.warning')}</Text>
        )}
      </Alert>
      {batch && importRun.error !== null && (
        <StopReason
          error={importRun.error}
          batch={batch}
          table={job.table}
          nameOf={source.nameOf}
        />
      )}
      <Group>
        <Button variant="filled" onClick={() => void importRun.start()}>
          {t('import.go-on', { line: lines.first })}
        </Button>
        <Button
          variant="default"
          onClick={() => download(restName(source.name), toCsv(header, remaining))}
        >
          {t('import.rest')}
        </Button>
        <ReportButton {...props} />
      </Group>
    </>
  )
}

/** The remaining rows are CSV, also those of a workbook. */
const restName = (name: string) => t('import.rest.name', { name: name.replace(/\.\w+$/, '.csv') })

function importedText(rows: Table['rows'], counts: ImportCounts): string {
  if (rows.length === 0) return t('import.stopped.none')
  const lines = { first: rows[0]?.line ?? 0, last: rows.at(-1)?.line ?? 0 }
  return t('import.stopped.done', { ...lines, counts: countsText(counts) })
}

interface StopReasonProps extends Pick<ImportSource, 'nameOf'> {
  readonly error: unknown
  readonly batch: Batch
  readonly table: Table
}

function StopReason({ error, batch, table, nameOf }: StopReasonProps) {
  const isRowError = error instanceof ProblemError && error.code === 'validation_failed'
  return isRowError ? (
    <RowErrorTable errors={rowErrors(error, batch, table)} nameOf={nameOf} />
  ) : (
    <ProblemNotice error={error} />
  )
}
