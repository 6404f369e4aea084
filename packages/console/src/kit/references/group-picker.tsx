import { client } from '#data/client.ts'
import { t } from '#text/index.ts'

import { useGroupName } from './group-links.tsx'
import { type PickerProps, SearchPicker } from './search-picker.tsx'

interface Props extends PickerProps {
  /** Groups that are not offered. */
  readonly excluded?: readonly string[]
}

/** Selects a group; searches by name. */
export function GroupPicker({ excluded = [], ...props }: Props) {
  const { value } = props
  const name = useGroupName(value)
  return (
    <SearchPicker
      {...props}
      queryKey={['groups', 'picker', ...excluded]}
      search={async ({ query, signal }) =>
        (await client.groups.list({ query: { ...query, sort: 'name' } }, { signal })).data
          .filter(({ id }) => !excluded.includes(id))
          .map((group) => ({ value: group.id, label: group.name }))
      }
      selected={value === null ? null : { value, label: name }}
      emptyMessage={t('groups.no-match')}
    />
  )
}
