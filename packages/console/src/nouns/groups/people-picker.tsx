import { client } from '#data/client.ts'
import { type ManyPickerProps, MultiSearchPicker } from '#kit/references/multi-search-picker.tsx'
import { t } from '#text/index.ts'

import type { NamedPerson } from './actions.ts'

interface Props extends Omit<ManyPickerProps, 'value' | 'onChange'> {
  readonly value: readonly NamedPerson[]
  readonly onChange: (people: NamedPerson[]) => void
  /** Members of this group are listed but disabled. */
  readonly excludeGroupId?: string
}

/** Selects several people on the roster; searches by name. */
export function PeoplePicker({ value, onChange, excludeGroupId = '', ...props }: Props) {
  return (
    <MultiSearchPicker
      {...props}
      queryKey={['personnel', 'people-picker', excludeGroupId]}
      search={async ({ query, signal }) => {
        const { data } = await client.personnel.list(
          { query: { ...query, sort: 'name' } },
          { signal },
        )
        return data.map(({ id, name, email, group_ids }) => {
          const isMember = group_ids.includes(excludeGroupId)
          return {
            value: id,
            label: name,
            about: isMember ? t('members.already') : email,
            disabled: isMember,
          }
        })
      }}
      value={value.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(chosen) => onChange(chosen.map(({ value: id, label }) => ({ id, name: label })))}
      emptyMessage={t('picker.no-match')}
    />
  )
}

/** The error of the first invalid person in the request, with the person's name. */
export function memberError(
  errors: Readonly<Record<string, unknown>>,
  field: string,
  people: readonly NamedPerson[],
): string | null {
  const invalid = people
    .map(({ name }, index) => ({ name, problem: errors[`${field}.${index}`] }))
    .find(({ problem }) => typeof problem === 'string')
  if (invalid === undefined) return null
  const problem = String(invalid.problem)
  return t('members.add.refused', {
    name: invalid.name,
    problem: problem.charAt(0).toLowerCase() + problem.slice(1),
  })
}
