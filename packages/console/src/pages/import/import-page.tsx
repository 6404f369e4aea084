import { Alert, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'

import { useFilters } from '#kit/list/filters.ts'
import { Page } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { ImportForm } from './import-form.tsx'
import { BarSlot } from './parts/bar-actions.tsx'
import { bounds } from './read/bounds.ts'
import { readFile } from './read/read-file.ts'
import { ReadError, type ReadFault, type Sheet } from './read/sheet.ts'
import { RowErrorTable } from './row-error-table.tsx'
import { malformedRowErrors } from './run/dry-run.ts'
import { isKind, kinds } from './run/kinds.ts'
import type { ImportRun } from './run/use-import.ts'
import { type WizardStep, StepTrail } from './step-trail.tsx'
import { Wizard, type WizardProps } from './wizard.tsx'

import classes from './import.module.css'

interface ChosenFile {
  readonly name: string
  /** Distinguishes two selections of a file with the same name. */
  readonly selection: number
  /** The content, why it cannot be read, or null while it is read. */
  readonly content: Sheet | ReadFault | null
}

const isSheet = (content: ChosenFile['content']): content is Sheet =>
  content !== null && typeof content === 'object'

const isWellFormed = (content: ChosenFile['content']) =>
  isSheet(content) && content.malformed.length === 0

const stepOf = (chosen: ChosenFile | null, step: WizardStep) =>
  isWellFormed(chosen?.content ?? null) ? step : 'choose'

/** Imports a CSV file or a workbook of people, projects, risks, issues or tasks. */
export function ImportPage() {
  const filters = useFilters(['kind', 'project_id'])
  const { chosen, choose, clear } = useChosenFile()
  const [phase, setPhase] = useState<ImportRun['phase']>('ready')
  const [step, setStep] = useState<WizardStep>('columns')
  const kind = isKind(filters.values['kind']) ? filters.values['kind'] : 'people'
  const projectId = kinds[kind].isInProject ? (filters.values['project_id'] ?? null) : null
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const current = stepOf(chosen, phase === 'ready' ? step : 'doing')
  return (
    <Page
      title={t('import.title')}
      rightSection={<StepTrail current={current} />}
      actions={<div ref={setSlot} className={classes.slot} />}
    >
      <ImportForm
        kind={kind}
        filters={filters}
        fileName={chosen?.name ?? null}
        isBusy={phase === 'running'}
        isFolded={!['choose', 'columns'].includes(current)}
        onChoose={(file) => void choose(file)}
      />
      {chosen !== null && (
        <BarSlot value={slot}>
          <Content
            key={`${chosen.selection} ${kind} ${projectId ?? ''}`}
            {...{ chosen, kind, projectId }}
            onStep={setStep}
            onPhase={setPhase}
            onEnd={clear}
          />
        </BarSlot>
      )}
    </Page>
  )
}

interface ContentProps extends Omit<WizardProps, 'name' | 'sheet'> {
  readonly chosen: ChosenFile
}

function Content({ chosen: { name, content }, ...rest }: ContentProps) {
  if (content === null) return <Text role="status">{t('import.reading')}</Text>
  if (isSheet(content)) {
    const isReady = isWellFormed(content)
    return isReady ? (
      <Wizard {...rest} name={name} sheet={content} />
    ) : (
      <MalformedRows {...content} />
    )
  }
  return (
    <Alert color="red" variant="light" role="alert" title={t('import.unreadable')}>
      {faultText(content)}
    </Alert>
  )
}

/** Reads the chosen file. Only the last one counts if another is chosen meanwhile. */
function useChosenFile() {
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const selections = useRef(0)
  const choose = async (file: File) => {
    selections.current += 1
    const selection = selections.current
    const show = (content: ChosenFile['content']) => {
      if (selection === selections.current) setChosen({ name: file.name, selection, content })
    }
    show(null)
    show(
      await readFile(file).catch((error: unknown) => {
        if (error instanceof ReadError) return error.fault
        throw error
      }),
    )
  }
  return { chosen, choose, clear: () => setChosen(null) }
}

const faultText = (fault: ReadFault) =>
  t(`import.unreadable.${fault}`, {
    most: fault === 'too-large-inside' ? bounds.inflatedMiB : bounds.fileMiB,
    rows: bounds.rows,
    columns: bounds.columns,
    seconds: bounds.seconds,
  })

function MalformedRows({ malformed, columns }: Sheet) {
  const errors = malformedRowErrors(malformed, columns.length)
  return (
    <Stack>
      <Alert color="red" variant="light" role="alert">
        <Text fw={600}>{t('import.invalid', { count: malformed.length })}</Text>
        <Text size="sm">{t('import.malformed.about')}</Text>
      </Alert>
      <RowErrorTable errors={errors} nameOf={(column) => column} />
    </Stack>
  )
}
