import type { Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { peopleQuery } from './people.tsx'
import { type PickerProps, SearchPicker } from './search-picker.tsx'

interface Props extends PickerProps {
  /** Offers to choose that it is nobody, for a filter. */
  readonly withNobody?: boolean
}

/** Finds someone on the roster as their name is typed. */
export function PersonPicker({ withNobody = false, ...props }: Props) {
  const { value } = props
  const reason = useReasonAgainst('personnel.read')
  const ids = value === null || value === 'none' ? [] : [value]
  const { data } = useQuery({ ...peopleQuery(ids), enabled: ids.length > 0 && !reason })
  const [person] = data?.data ?? []
  return (
    <SearchPicker
      {...props}
      found={['personnel', 'picker']}
      find={async ({ query, signal }) =>
        (await client.personnel.list({ query: { ...query, sort: 'name' } }, { signal })).data.map(
          optionOf,
        )
      }
      own={person ? optionOf(person) : null}
      always={withNobody ? [{ value: 'none', label: t('person.nobody') }] : []}
      nothing={t('picker.nobody')}
    />
  )
}

const optionOf = ({ id, name, email }: Person) => ({
  value: id,
  label: email ? `${name} (${email})` : name,
})
