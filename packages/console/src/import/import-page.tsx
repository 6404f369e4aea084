import { Alert } from '@mantine/core'
import { useState } from 'react'

import { t, type TextKey } from '#text/index.ts'
import { useFilters } from '#ui/filters.ts'
import { Page } from '#ui/page.tsx'

import { decodeText, parseCsv, type Table } from './csv.ts'
import { fileMiBMax, ImportForm } from './import-form.tsx'
import { ImportSteps } from './import-steps.tsx'
import { isKind, kinds, type Target } from './kinds.ts'

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
  const [isBusy, setBusy] = useState(false)
  const kind = isKind(filters.values['kind']) ? filters.values['kind'] : 'people'
  const projectId = filters.values['project_id']
  const target: Target | null =
    kind === 'people' ? { kind } : projectId === undefined ? null : { kind, projectId }
  const choose = async (file: File) => {
    const content = await readTable(file)
    setChosen((before) => ({ name: file.name, selection: (before?.selection ?? 0) + 1, content }))
  }
  return (
    <Page title={t('import.title')}>
      <ImportForm
        kind={kind}
        filters={filters}
        fileName={chosen?.name ?? null}
        isBusy={isBusy}
        onChoose={(file) => void choose(file)}
      />
      {chosen && typeof chosen.content === 'string' && (
        <Alert color="red" variant="outline" role="alert" title={t('import.unreadable')}>
          {t(chosen.content, { most: fileMiBMax })}
        </Alert>
      )}
      {chosen && typeof chosen.content === 'object' && target && (
        <ImportSteps
          key={`${chosen.selection} ${kind} ${kinds[kind].isInProject ? projectId : ''}`}
          name={chosen.name}
          table={chosen.content}
          target={target}
          onBusy={setBusy}
          onEnd={() => setChosen(null)}
        />
      )}
    </Page>
  )
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
