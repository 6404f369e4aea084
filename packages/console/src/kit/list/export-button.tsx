import { Button, type ButtonProps, Loader } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'

import { fetchCsv } from '#data/csv.ts'
import type { Search } from '#data/search.ts'
import { download, saveFile } from '#kit/feedback/download.ts'
import { showError } from '#kit/feedback/toast.tsx'
import { IconDownload } from '#kit/icons/index.tsx'
import { FirstUse } from '#kit/keyboard/first-use.tsx'
import { t } from '#text/index.ts'

const ExportDropdown = lazyRouteComponent(() => import('./export-dropdown.tsx'), 'ExportDropdown')

interface Props {
  /** The path of the list in the API. */
  readonly path: string
  /** The filters of the page: the file holds exactly what they match. */
  readonly query: Search
  /** The name of the file without its ending. */
  readonly name: string
}

export type ExportFormat = 'csv' | 'xlsx'

/** Saves everything that matches the filters as CSV or as an XLSX workbook. */
export function ExportButton(props: Props) {
  const { progress, save } = useExport(props)
  return (
    <FirstUse
      load={() => void ExportDropdown.preload?.()}
      button={(handlers) => <FormatButton progress={progress} {...handlers} />}
    >
      <ExportDropdown progress={progress} onChoose={(format) => void save(format)} />
    </FirstUse>
  )
}

/** The finished part of an export from 0 to 1, or null while there is none. */
type Progress = number | null

function useExport({ path, query, name }: Props) {
  const [progress, setProgress] = useState<Progress>(null)
  const save = async (format: ExportFormat) => {
    if (progress !== null) return
    setProgress(0)
    try {
      const csv = await fetchCsv(path, query)
      if (format === 'csv') download(`${name}.csv`, csv)
      else {
        const { exportXlsx } = await import('#kit/export/export-xlsx.ts')
        saveFile(`${name}.xlsx`, await exportXlsx({ path, csv, name, onProgress: setProgress }))
      }
    } catch (error) {
      showError(error)
    } finally {
      setProgress(null)
    }
  }
  return { progress, save }
}

export interface FormatButtonProps
  extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  readonly progress: Progress
}

/** Has a percentage once the file is being written. It stays enabled, and so keeps the focus. */
export function FormatButton({ progress, ...props }: FormatButtonProps) {
  const percent = Math.round((progress ?? 0) * 100)
  return (
    <Button
      variant="subtle"
      color="gray"
      aria-haspopup="menu"
      aria-busy={progress !== null}
      leftSection={progress === null ? <IconDownload size={16} /> : <Loader size={16} />}
      {...props}
    >
      {percent > 0 ? t('list.export.progress', { percent }) : t('list.export')}
    </Button>
  )
}
