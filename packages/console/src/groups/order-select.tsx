import { NativeSelect } from '@mantine/core'

import { t } from '#text/index.ts'
import type { Filters } from '#ui/filters.ts'

interface Props {
  /** Of the page's address, its `sort` alone: an order narrows nothing. */
  readonly order: Filters
  /** What each order is called; the one that is kept out of the address has no name. */
  readonly choices: Readonly<Record<string, string>>
}

export function OrderSelect({ order, choices }: Props) {
  return (
    <NativeSelect
      label={t('groups.order')}
      value={order.values['sort'] ?? ''}
      onChange={({ currentTarget }) => order.set({ sort: currentTarget.value })}
      data={Object.entries(choices).map(([value, name]) => ({ value, label: name }))}
    />
  )
}
