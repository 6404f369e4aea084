import { FileButton, Group, Stack, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useRef, useState } from 'react'

import { ActionButton } from '#kit/parts/action-button.tsx'
import { t } from '#text/index.ts'

import classes from './import.module.css'

interface Props {
  /** The name of the chosen file. */
  readonly name: string | null
  /** Why no file can be chosen; null if one can. */
  readonly reason: string | null
  readonly onChoose: (file: File) => void
}

/** The whole window is the drop target, so that a missed drop does not navigate away. */
export function FileField({ name, reason, onChoose }: Props) {
  const [isDragOver, setDragOver] = useState(false)
  const resetInput = useRef<() => void>(null)
  const chooseFile = (file: File | null | undefined) => {
    // Reset the input, so that the same file can be chosen again after a correction.
    resetInput.current?.()
    if (file && reason === null) onChoose(file)
  }
  useWindowEvent('dragover', (event) => {
    event.preventDefault()
    setDragOver(reason === null)
  })
  useWindowEvent('dragleave', (event) => {
    if (event.relatedTarget === null) setDragOver(false)
  })
  useWindowEvent('drop', (event) => {
    event.preventDefault()
    setDragOver(false)
    chooseFile(event.dataTransfer?.files[0])
  })
  return (
    <div className={classes.drop} data-over={isDragOver} data-chosen={name !== null}>
      <Stack gap="xs" align="center" className={classes.dropContent}>
        {(name === null || isDragOver) && (
          <Text ta="center">{t(isDragOver ? 'import.drop' : 'import.file')}</Text>
        )}
        <FileButton
          resetRef={resetInput}
          onChange={chooseFile}
          accept=".csv,.txt,.tsv,.xlsx,text/csv"
        >
          {({ onClick }) => (
            <ActionButton
              onClick={onClick}
              reason={reason}
              isKept
              variant={name ? 'default' : 'filled'}
            >
              {t(name ? 'import.pick.other' : 'import.pick')}
            </ActionButton>
          )}
        </FileButton>
        {name && (
          <Group gap={6} justify="center">
            <Text size="sm" c="dimmed">
              {t('import.chosen')}:
            </Text>
            <Text size="sm" fw={600} className="wrap">
              {name}
            </Text>
          </Group>
        )}
      </Stack>
    </div>
  )
}
