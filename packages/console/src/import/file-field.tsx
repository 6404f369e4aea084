import { FileButton, Group, Stack, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useRef, useState } from 'react'

import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'

import classes from './import.module.css'

interface Props {
  /** Of the file that is chosen. */
  readonly name: string | null
  /** Why no file can be taken now. */
  readonly reason: string | null
  readonly onChoose: (file: File) => void
}

/** A file can be let go anywhere on the page: nobody has to aim, and a miss does not leave it. */
export function FileField({ name, reason, onChoose }: Props) {
  const [isOver, setOver] = useState(false)
  const forget = useRef<() => void>(null)
  const take = (file: File | null | undefined) => {
    // The same file can be chosen again, once it was corrected.
    forget.current?.()
    if (file && reason === null) onChoose(file)
  }
  useWindowEvent('dragover', (event) => {
    event.preventDefault()
    setOver(reason === null)
  })
  useWindowEvent('dragleave', (event) => {
    if (event.relatedTarget === null) setOver(false)
  })
  useWindowEvent('drop', (event) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer?.files[0])
  })
  return (
    <div className={classes.drop} data-over={isOver}>
      <Stack gap="xs" align="center">
        <Text ta="center">{t(isOver ? 'import.drop' : 'import.file')}</Text>
        <FileButton resetRef={forget} onChange={take} accept=".csv,.txt,.tsv,text/csv">
          {({ onClick }) => (
            <ActionButton onClick={onClick} reason={reason} variant={name ? 'default' : 'filled'}>
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
