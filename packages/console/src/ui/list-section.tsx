import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** The number of items as text; empty while loading. */
  readonly count: string
  /** Controls of the whole list, such as its sort order. */
  readonly rightSection?: ReactNode
  readonly children: ReactNode
}

/** The main list of a page, with its title and count. */
export function ListSection({ title, count, rightSection, children }: Props) {
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
        {rightSection}
      </Group>
      {children}
    </section>
  )
}
