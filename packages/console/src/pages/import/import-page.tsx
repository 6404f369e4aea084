import { Alert } from '@mantine/core'
import { useState } from 'react'

import { decodeText, parseCsv, type Table } from '#data/parse-csv.ts'
import { useFilters } from '#kit/list/filters.ts'
import { Page } from '#kit/parts/page.tsx'
import { t, type TextKey } from '#text/index.ts'

import { fileMiBMax, ImportForm } from './import-form.tsx'
import { ImportSteps } from './import-steps.tsx'
import { isKind, type Kind, kinds, type Target } from './kinds.ts'
import { StepTrail } from './step-trail.tsx'
import type { ImportRun } from './use-import.ts'

interface ChosenFile {
  readonly name: string
  /** Distinguishes two selections of a file with the same name. */
  readonly selection: number
  /** The parsed table, or why the file cannot be read. */
  readonly content: Table | TextKey
}

/** Imports a CSV file of people, risks or issues: dry run first, then the import. */
export function ImportPage() {
  const filters = useFilters(['kind', 'project_id'])
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const [phase, setPhase] = useState<ImportRun['phase']>('ready')
  const kind = isKind(filters.values['kind']) ? filters.values['kind'] : 'people'
  const projectId = filters.values['project_id']
  const target = targetOf(kind, projectId)
  const choose = async (file: File) => {
    const content = await readTable(file)
    setChosen((before) => ({ name: file.name, selection: (before?.selection ?? 0) + 1, content }))
  }
  return (
    <Page
      title={t('import.title')}
      rightSection={<StepTrail current={target ? stepOf(chosen, phase) : 'choose'} />}
    >
      <ImportForm
        kind={kind}
        filters={filters}
        fileName={chosen?.name ?? null}
        isBusy={phase === 'running'}
        onChoose={(file) => void choose(file)}
      />
      {chosen && typeof chosen.content === 'string' && (
        <Alert color="red" variant="light" role="alert" title={t('import.unreadable')}>
          {t(chosen.content, { most: fileMiBMax })}
        </Alert>
      )}
      {chosen && typeof chosen.content === 'object' && target && (
        <ImportSteps
          key={`${chosen.selection} ${kind} ${kinds[kind].isInProject ? projectId : ''}`}
          name={chosen.name}
          table={chosen.content}
          target={target}
          onPhase={setPhase}
          onEnd={() => {
            setChosen(null)
            setPhase('ready')
          }}
        />
      )}
    </Page>
  )
}

/** Risks and issues need a project first. */
function targetOf(kind: Kind, projectId: string | undefined): Target | null {
  if (kind === 'people') return { kind }
  return projectId === undefined ? null : { kind, projectId }
}

function stepOf(chosen: ChosenFile | null, phase: ImportRun['phase']) {
  if (typeof chosen?.content !== 'object') return 'choose'
  return phase === 'ready' ? 'check' : 'doing'
}

async function readTable(file: File): Promise<Table | TextKey> {
  if (file.size > fileMiBMax * 1024 * 1024) return 'import.too-large'
  const bytes = await file.arrayBuffer().catch(() => null)
  if (bytes === null) return 'import.not-read'
  const text = decodeText(bytes)
  if (text === null) return 'import.not-text'
  const table = parseCsv(text)
  return table.rows.length + table.malformed.length === 0 ? 'import.no-rows' : table
}
