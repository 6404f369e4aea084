import type { Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { t } from '#text/index.ts'

import { peopleQuery } from './people.tsx'
import { type PickerProps, SearchPicker } from './search-picker.tsx'

interface Props extends PickerProps {
  /** Adds the option “none” (unassigned), for filters. */
  readonly withNone?: boolean
}

/** Selects a person on the roster; searches by name. */
export function PersonPicker({ withNone = false, ...props }: Props) {
  const { value } = props
  const reason = useMissingScopeReason('personnel.read')
  const ids = value === null || value === 'none' ? [] : [value]
  const { data } = useQuery({ ...peopleQuery(ids), enabled: ids.length > 0 && !reason })
  const [person] = data?.data ?? []
  return (
    <SearchPicker
      {...props}
      queryKey={['personnel', 'picker']}
      search={async ({ query, signal }) =>
        (await client.personnel.list({ query: { ...query, sort: 'name' } }, { signal })).data.map(
          optionOf,
        )
      }
      selected={person ? optionOf(person) : null}
      pinned={withNone ? [{ value: 'none', label: t('person.none') }] : []}
      emptyMessage={t('picker.no-match')}
    />
  )
}

const optionOf = ({ id, name, email }: Person) => ({
  value: id,
  label: email ? `${name} (${email})` : name,
})
