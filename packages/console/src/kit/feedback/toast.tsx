import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type LinkProps, useRouter, useRouterState } from '@tanstack/react-router'

import { AnchorLink } from '#kit/parts/links.tsx'
import { t } from '#text/index.ts'

import { ProblemNotice } from './problem.tsx'

/** A link to what was created or changed. */
export interface ToastLink extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  readonly text: string
}

/** Older messages give way: a pile would cover the page. Errors stay until they are closed. */
const successesMax = 3
const successes: string[] = []

/** Shows a success notification, with an undo button and a link if they are given. */
export function showSuccess(text: string, undo?: () => Promise<void>, link?: ToastLink): void {
  const id = notifications.show({
    role: 'status',
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
  successes.push(id)
  while (successes.length > successesMax) notifications.hide(successes.shift() ?? '')
}

/** A page needs no link to itself. */
function PageLink({ text, ...link }: ToastLink) {
  // The cast holds because the caller's `params` belong to its `to`.
  const props = { search: {}, ...link } as LinkProps
  const path = useRouterState({ select: ({ location }) => location.pathname })
  if (useRouter().buildLocation(props).pathname === path) return null
  return (
    <AnchorLink {...props} underline="always" flex="none">
      {text}
    </AnchorLink>
  )
}

export function showError(error: unknown): void {
  notifications.show({
    autoClose: false,
    withBorder: true,
    color: 'red',
    message: <ProblemNotice error={error} />,
  })
}
