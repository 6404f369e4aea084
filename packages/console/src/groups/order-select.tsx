import { NativeSelect } from '@mantine/core'

import { t } from '#text/index.ts'
import type { Filters } from '#ui/filters.ts'

interface Props {
  /** Only the `sort` parameter: the sort order does not count as a filter. */
  readonly order: Filters
  /** A label per sort order. The default order has the empty string as its key. */
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
