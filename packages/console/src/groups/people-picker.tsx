import { MultiSelect, type MultiSelectProps, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Person } from '@muster/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { scrolling } from '#ui/picker.ts'

import type { Named } from './actions.ts'

interface Props extends Omit<MultiSelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: readonly Named[]
  readonly onChange: (people: Named[]) => void
  /** Who is in this group already is shown, and cannot be chosen. */
  readonly notIn?: string
}

/** Finds people on the roster as their names are typed, and gathers them. */
export function PeoplePicker({ value, onChange, notIn, ...props }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [wanted] = useDebouncedValue(typed.trim(), 150)
  const { data, isFetching } = useQuery({
    queryKey: ['personnel', 'people-picker', wanted],
    queryFn: ({ signal }) =>
      client.personnel.list(
        { query: { limit: 20, sort: 'name', ...(wanted.length > 1 && { q: wanted }) } },
        { signal },
      ),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const found = data?.data ?? []
  // Whoever is chosen stays so, also while others are looked for.
  const people = new Map<string, Named | Person>(
    [...value, ...found].map((each) => [each.id, each]),
  )
  const isIn = (person: Named | Person | undefined) =>
    person !== undefined &&
    'group_ids' in person &&
    notIn !== undefined &&
    person.group_ids.includes(notIn)
  return (
    <MultiSelect
      searchable
      hidePickedOptions
      placeholder={t('picker.placeholder')}
      clearable
      clearButtonProps={{ 'aria-label': t('picker.clear') }}
      nothingFoundMessage={isFetching ? t('picker.looking') : t('picker.nobody')}
      {...props}
      value={value.map(({ id }) => id)}
      onChange={(ids) => {
        onChange(ids.map((id) => ({ id, name: people.get(id)?.name ?? id })))
        setOpen(false)
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      // It opens as one types and closes with each choice: what is below it is soon in sight.
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      filter={({ options }) => options}
      data={[...people.values()].map((person) => ({
        value: person.id,
        label: person.name,
        disabled: isIn(person),
      }))}
      renderOption={({ option }) => (
        <Option person={people.get(option.value)} isIn={isIn(people.get(option.value))} />
      )}
      {...scrolling}
    />
  )
}

interface OptionProps {
  readonly person: Named | Person | undefined
  readonly isIn: boolean
}

function Option({ person, isIn }: OptionProps) {
  const email = person !== undefined && 'email' in person ? person.email : null
  return (
    <div className="wrap">
      {person?.name}
      <Text size="xs" {...(!isIn && { c: 'dimmed' })}>
        {isIn ? t('members.already') : email}
      </Text>
    </div>
  )
}

/** What the service says of one of those who were sent, with the person's name. */
export function flawOfPeople(
  errors: Readonly<Record<string, unknown>>,
  field: string,
  people: readonly Named[],
): string | null {
  const flaw = people
    .map(({ name }, index) => ({ name, problem: errors[`${field}.${index}`] }))
    .find(({ problem }) => typeof problem === 'string')
  if (flaw === undefined) return null
  const problem = String(flaw.problem)
  return t('members.add.refused', {
    name: flaw.name,
    problem: problem.charAt(0).toLowerCase() + problem.slice(1),
  })
}
