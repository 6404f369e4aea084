import { Button, Group, Text } from '@mantine/core'

import { ActionButton } from '#ui/action-button.tsx'

interface Props {
  readonly children: string
  readonly reason: string | null
  readonly isBusy: boolean
}

/** The submit button of a step. If it is disabled, the reason stands beside it. */
export function SubmitButton({ children, reason, isBusy }: Props) {
  if (reason === null)
    return (
      <Group>
        <Button type="submit" variant="filled" loading={isBusy}>
          {children}
        </Button>
      </Group>
    )
  return (
    <Group gap="sm">
      <ActionButton variant="filled" reason={reason} onClick={() => {}}>
        {children}
      </ActionButton>
      <Text size="sm" aria-hidden>
        {reason}
      </Text>
    </Group>
  )
}
