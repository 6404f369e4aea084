import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { type PickerProps, SearchPicker } from '#ui/search-picker.tsx'

import { useGroupName } from './group-name.tsx'

/** Finds a group as its name is typed. */
export function GroupPicker(props: PickerProps) {
  const { value } = props
  const name = useGroupName(value)
  return (
    <SearchPicker
      {...props}
      found={['groups', 'picker']}
      find={async ({ query, signal }) =>
        (await client.groups.list({ query: { ...query, sort: 'name' } }, { signal })).data.map(
          (group) => ({ value: group.id, label: group.name }),
        )
      }
      own={value === null ? null : { value, label: name }}
      nothing={t('people.group.nothing')}
    />
  )
}
