import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Column } from '#kit/list/columns.ts'
import { SmallList } from '#kit/list/small-list.tsx'
import { Section } from '#kit/parts/page.tsx'

interface Props<T> {
  readonly title: string
  readonly about: string
  readonly button?: ReactNode
  readonly columns: readonly Column<T>[]
  /** A query of all items at once. */
  readonly query: {
    readonly data: { readonly data: readonly T[] } | undefined
    readonly error: unknown
  }
  readonly empty?: ReactNode
  /** The dialogs. */
  readonly children?: ReactNode
}

/** What belongs to the user: sessions, passkeys or keys. */
export function ListSection<T extends { readonly id: string }>(props: Props<T>) {
  const { title, about, button, columns, query, empty = null, children } = props
  return (
    <Section title={title} rightSection={button}>
      <Text size="sm" c="dimmed" mb="sm">
        {about}
      </Text>
      <SmallList
        label={title}
        columns={columns}
        items={query.data?.data}
        error={query.error}
        idOf={({ id }) => id}
        empty={empty}
      />
      {children}
    </Section>
  )
}
