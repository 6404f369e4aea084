import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** How many there are, in words; empty while that is not known. */
  readonly count: string
  /** What is done to the list as a whole, such as ordering it. */
  readonly beside?: ReactNode
  readonly children: ReactNode
}

/** The list that a page is about, with its name and its length. */
export function ListSection({ title, count, beside, children }: Props) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" align="flex-end" mb="xs">
        <Group gap="sm" align="baseline">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {count}
          </Text>
        </Group>
        {beside}
      </Group>
      {children}
    </section>
  )
}
