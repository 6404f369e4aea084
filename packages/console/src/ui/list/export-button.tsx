import { Button } from '@mantine/core'
import { useState } from 'react'

import { fetchCsv } from '#api/csv.ts'
import type { Search } from '#api/search.ts'
import { t } from '#text/index.ts'
import { download } from '#ui/download.ts'
import { IconDownload } from '#ui/icons/index.tsx'
import { showError } from '#ui/toast.tsx'

interface Props {
  /** The path of the list in the API. */
  readonly path: string
  /** The filters of the page: the file holds exactly what they match. */
  readonly query: Search
  /** The name of the file without its ending. */
  readonly name: string
}

/** Saves everything that matches the filters as CSV. */
export function ExportButton({ path, query, name }: Props) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      download(`${name}.csv`, await fetchCsv(path, query))
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="subtle"
      color="gray"
      loading={isBusy}
      leftSection={<IconDownload size={16} />}
      onClick={() => void save()}
    >
      {t('list.export')}
    </Button>
  )
}
