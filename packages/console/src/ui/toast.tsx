import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

import { t } from '#text/index.ts'

import { ProblemNotice } from './problem.tsx'

/** Shows a success notification, with an undo button if `undo` is given. */
export function showSuccess(text: string, undo?: () => Promise<void>): void {
  notifications.show({
    role: 'status',
    closeButtonProps: { 'aria-label': t('toast.close') },
    autoClose: undo ? 12_000 : 5000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" className="wrap">
          {text}
        </Text>
        {undo && (
          <Button size="compact-sm" variant="light" onClick={() => void undo()}>
            {t('toast.undo')}
          </Button>
        )}
      </Group>
    ),
  })
}

export function showError(error: unknown): void {
  notifications.show({
    closeButtonProps: { 'aria-label': t('toast.close') },
    autoClose: false,
    withBorder: true,
    color: 'red',
    message: <ProblemNotice error={error} />,
  })
}
