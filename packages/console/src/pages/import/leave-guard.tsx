import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'

import { t } from '#text/index.ts'

interface Props {
  readonly isBusy: boolean
  readonly stop: () => void
}

/** Asks for confirmation before the user leaves a running import. */
export function LeaveGuard({ isBusy, stop }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isBusy,
    enableBeforeUnload: isBusy,
    withResolver: true,
  })
  useEffect(() => {
    // The import ended while the dialog was open: stay, and show the result.
    if (!isBusy) reset?.()
  }, [isBusy, reset])
  const leave = () => {
    stop()
    proceed?.()
  }
  return (
    <Modal
      opened={status === 'blocked' && isBusy}
      onClose={() => reset?.()}
      title={t('import.leave')}
    >
      <Stack>
        <Text size="sm">{t('import.leave.about')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {t('import.leave.go')}
          </Button>
          <Button variant="filled" data-autofocus onClick={() => reset?.()}>
            {t('import.leave.stay')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
