import { Button, Group, Text } from '@mantine/core'

import { ActionButton } from '#ui/action-button.tsx'

interface Props {
  readonly children: string
  readonly reason: string | null
  readonly isBusy: boolean
}

/** What sends the form of a step; the reason why it cannot is said beside it. */
export function Submit({ children, reason, isBusy }: Props) {
  if (reason === null)
    return (
      <Group>
        <Button type="submit" loading={isBusy}>
          {children}
        </Button>
      </Group>
    )
  return (
    <Group gap="sm">
      <ActionButton reason={reason} onClick={() => {}}>
        {children}
      </ActionButton>
      <Text size="sm" aria-hidden>
        {reason}
      </Text>
    </Group>
  )
}
