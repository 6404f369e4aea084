import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { LinkProps } from '@tanstack/react-router'

import { t } from '#text/index.ts'

import { AnchorLink } from './links.tsx'
import { ProblemNotice } from './problem.tsx'

/** A link to what was created or changed. */
interface ToastLink extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  readonly text: string
}

/** Shows a success notification, with an undo button and a link if they are given. */
export function showSuccess(text: string, undo?: () => Promise<void>, link?: ToastLink): void {
  notifications.show({
    role: 'status',
    closeButtonProps: { 'aria-label': t('toast.close') },
    autoClose: undo || link ? 12_000 : 5000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text className="wrap">{text}</Text>
        {link && <PageLink {...link} />}
        {undo && (
          <Button size="compact-sm" onClick={() => void undo()}>
            {t('toast.undo')}
          </Button>
        )}
      </Group>
    ),
  })
}

/** The cast holds because the caller's `params` belong to its `to`. */
const PageLink = ({ text, ...link }: ToastLink) => (
  <AnchorLink {...({ search: {}, ...link } as LinkProps)} underline="always" flex="none">
    {text}
  </AnchorLink>
)

export function showError(error: unknown): void {
  notifications.show({
    closeButtonProps: { 'aria-label': t('toast.close') },
    autoClose: false,
    withBorder: true,
    color: 'red',
    message: <ProblemNotice error={error} />,
  })
}
