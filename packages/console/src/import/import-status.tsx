import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { NoAnswerError, ProblemError } from '@muster/client'

import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { ButtonTo } from '#ui/links.tsx'
import { Section } from '#ui/page.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { csvOf, type Part, type Table } from './csv.ts'
import { download } from './download.ts'
import { Flaws } from './flaws.tsx'
import type { Target } from './kinds.ts'
import { type Counts, flawsOf } from './rehearse.ts'
import type { Import } from './use-import.ts'

interface Props {
  readonly name: string
  readonly table: Table
  readonly target: Target
  readonly parts: readonly Part[]
  readonly doing: Import
  readonly onEnd: () => void
}

/** How far an import is, and what became of it. */
export function Account(props: Props) {
  const { table, parts, doing } = props
  const count = table.rows.length
  const done = parts.slice(0, doing.done).reduce((sum, { rows }) => sum + rows.length, 0)
  const isBusy = doing.phase === 'doing'
  const isWhole = done === count
  return (
    <Section title={t('import.doing')}>
      <Stack>
        <Progress value={(100 * done) / count} aria-label={t('import.doing')} />
        {isBusy && <Running doing={doing} done={done} count={count} />}
        {!isBusy && isWhole && <Done {...props} />}
        {!isBusy && !isWhole && <Stopped {...props} done={done} />}
      </Stack>
    </Section>
  )
}

interface RunningProps {
  readonly doing: Import
  readonly done: number
  readonly count: number
}

function Running({ doing, done, count }: RunningProps) {
  return (
    <Group justify="space-between">
      <Text role="status">{t('import.progress', { done, count })}</Text>
      <ActionButton
        variant="default"
        onClick={doing.stop}
        reason={doing.isStopping ? t('import.stopping') : null}
      >
        {t('import.stop')}
      </ActionButton>
    </Group>
  )
}

const countsIn = (counts: Counts) => t('import.counts', { ...counts })

function Done({ table, target, doing, onEnd }: Props) {
  return (
    <>
      <div>
        <Text role="status" fw={600}>
          {t('import.done', { count: table.rows.length })}
        </Text>
        <Text size="sm">{countsIn(doing.counts)}</Text>
      </div>
      <Group>
        <ButtonTo {...placeOf(target)}>{t(`import.see.${target.kind}`)}</ButtonTo>
        <Button variant="default" onClick={onEnd}>
          {t('import.another')}
        </Button>
      </Group>
    </>
  )
}

const placeOf = (target: Target) =>
  target.kind === 'people'
    ? ({ to: '/people', search: {} } as const)
    : ({ to: `/${target.kind}`, search: { project_id: target.projectId } } as const)

/** What was done, what was not, why, and how to go on without doing anything twice. */
function Stopped({ name, table, parts, doing, done }: Props & { readonly done: number }) {
  const { header, rows } = table
  const rest = rows.slice(done)
  const lines = { first: rest[0]?.line ?? 0, last: rest.at(-1)?.line ?? 0 }
  const part = parts[doing.done]
  return (
    <>
      <Alert color="red" variant="outline" role="alert">
        <Text fw={600}>{t('import.stopped', { done, count: rows.length })}</Text>
        <Text size="sm">{doneText(rows.slice(0, done), doing.counts)}</Text>
        <Text size="sm">
          {doing.error instanceof NoAnswerError
            ? t('import.stopped.unknown', lines)
            : t('import.stopped.rest', { count: rest.length, ...lines })}
        </Text>
        {done > 0 && <Text size="sm">{t('import.stopped.warning')}</Text>}
      </Alert>
      {part && doing.error !== null && <Reason error={doing.error} part={part} table={table} />}
      <Group>
        <Button onClick={() => void doing.run()}>{t('import.go-on', { line: lines.first })}</Button>
        <Button
          variant="default"
          onClick={() => download(t('import.rest.name', { name }), csvOf(header, rest))}
        >
          {t('import.rest')}
        </Button>
      </Group>
    </>
  )
}

function doneText(rows: Table['rows'], counts: Counts): string {
  if (rows.length === 0) return t('import.stopped.none')
  const lines = { first: rows[0]?.line ?? 0, last: rows.at(-1)?.line ?? 0 }
  return t('import.stopped.done', { ...lines, counts: countsIn(counts) })
}

interface ReasonProps {
  readonly error: unknown
  readonly part: Part
  readonly table: Table
}

function Reason({ error, part, table }: ReasonProps) {
  const isOfRows = error instanceof ProblemError && error.code === 'validation_failed'
  return isOfRows ? <Flaws flaws={flawsOf(error, part, table)} /> : <ProblemNotice error={error} />
}
