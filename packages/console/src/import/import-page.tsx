import { Alert } from '@mantine/core'
import { useState } from 'react'

import { t, type TextKey } from '#text/index.ts'
import { useFilters } from '#ui/filters.ts'
import { Page } from '#ui/page.tsx'

import { Check } from './check.tsx'
import { Chooser, fileMiBMax } from './chooser.tsx'
import { type Table, tableOf, textOf } from './csv.ts'
import { isKind, kinds, type Target } from './kinds.ts'

interface Chosen {
  readonly name: string
  /** Tells a file from one of the same name that was chosen before. */
  readonly turn: number
  /** What it says, or why it cannot be read. */
  readonly content: Table | TextKey
}

/** A file of people, risks or issues: looked at first, and then done. */
export function ImportPage() {
  const filters = useFilters(['kind', 'project_id'])
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isBusy, setBusy] = useState(false)
  const kind = isKind(filters.values['kind']) ? filters.values['kind'] : 'people'
  const projectId = filters.values['project_id']
  const target: Target | null =
    kind === 'people' ? { kind } : projectId === undefined ? null : { kind, projectId }
  const choose = async (file: File) => {
    const content = await contentOf(file)
    setChosen((before) => ({ name: file.name, turn: (before?.turn ?? 0) + 1, content }))
  }
  return (
    <Page title={t('import.title')}>
      <Chooser
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
        <Check
          key={`${chosen.turn} ${kind} ${kinds[kind].isInProject ? projectId : ''}`}
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

async function contentOf(file: File): Promise<Table | TextKey> {
  if (file.size > fileMiBMax * 1024 * 1024) return 'import.too-large'
  const bytes = await file.arrayBuffer().catch(() => null)
  if (bytes === null) return 'import.not-read'
  const text = textOf(bytes)
  if (text === null) return 'import.not-text'
  const table = tableOf(text)
  return table.rows.length + table.broken.length === 0 ? 'import.no-rows' : table
}
