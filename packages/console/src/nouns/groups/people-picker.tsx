import { MultiSelect, type MultiSelectProps, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Person } from '@muster/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '#data/client.ts'
import { scrollableDropdown } from '#kit/references/scrollable-dropdown.ts'
import { t } from '#text/index.ts'

import type { NamedPerson } from './actions.ts'

interface Props extends Omit<MultiSelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: readonly NamedPerson[]
  readonly onChange: (people: NamedPerson[]) => void
  /** Members of this group are listed but disabled. */
  readonly excludeGroupId?: string
}

/** Selects several people on the roster; searches by name. */
export function PeoplePicker({ value, onChange, excludeGroupId, ...props }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [input, setInput] = useState('')
  const [term] = useDebouncedValue(input.trim(), 150)
  const { data, isFetching } = useQuery({
    queryKey: ['personnel', 'people-picker', term],
    queryFn: ({ signal }) =>
      client.personnel.list(
        { query: { limit: 20, sort: 'name', ...(term.length > 1 && { q: term }) } },
        { signal },
      ),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const found = data?.data ?? []
  // Selected people stay in the options while the search shows others.
  const people = new Map<string, NamedPerson | Person>(
    [...value, ...found].map((each) => [each.id, each]),
  )
  const isMember = (person: NamedPerson | Person | undefined) =>
    person !== undefined &&
    'group_ids' in person &&
    excludeGroupId !== undefined &&
    person.group_ids.includes(excludeGroupId)
  return (
    <MultiSelect
      searchable
      hidePickedOptions
      placeholder={t('picker.placeholder')}
      clearable
      clearButtonProps={{ 'aria-label': t('picker.clear') }}
      nothingFoundMessage={isFetching ? t('word.searching') : t('picker.no-match')}
      {...props}
      value={value.map(({ id }) => id)}
      onChange={(ids) => {
        onChange(ids.map((id) => ({ id, name: people.get(id)?.name ?? id })))
        setOpen(false)
      }}
      searchValue={input}
      onSearchChange={setInput}
      // The dropdown opens on typing and closes on selection, so that it does not cover the fields
      // below.
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      filter={({ options }) => options}
      data={[...people.values()].map((person) => ({
        value: person.id,
        label: person.name,
        disabled: isMember(person),
      }))}
      renderOption={({ option }) => (
        <Option person={people.get(option.value)} isMember={isMember(people.get(option.value))} />
      )}
      {...scrollableDropdown}
    />
  )
}

interface OptionProps {
  readonly person: NamedPerson | Person | undefined
  readonly isMember: boolean
}

function Option({ person, isMember }: OptionProps) {
  const email = person !== undefined && 'email' in person ? person.email : null
  return (
    <div className="wrap">
      {person?.name}
      <Text size="xs" {...(!isMember && { c: 'dimmed' })}>
        {isMember ? t('members.already') : email}
      </Text>
    </div>
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
