import { MultiSelect, type MultiSelectProps, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Noun } from '#data/query-client.ts'
import { t } from '#text/index.ts'

import { scrollableDropdown } from './scrollable-dropdown.ts'
import type { SearchRequest } from './search-picker.tsx'

interface ManyOption {
  readonly value: string
  readonly label: string
  /** A second line, such as an email address, or why the option is disabled. */
  readonly about?: string | null
  readonly disabled?: boolean
}

export interface ManyPickerProps extends Omit<MultiSelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: readonly ManyOption[]
  readonly onChange: (chosen: ManyOption[]) => void
}

interface Props extends ManyPickerProps {
  /** The prefix of the query keys of the results. */
  readonly queryKey: readonly [Noun, ...string[]]
  readonly search: (request: SearchRequest) => Promise<readonly ManyOption[]>
  readonly emptyMessage: string
}

/** Selects several items; searches on the server. It sends no request until it is opened. */
export function MultiSearchPicker(allProps: Props) {
  const { value, onChange, queryKey, search, emptyMessage, ...props } = allProps
  const [isOpen, setOpen] = useState(false)
  const [input, setInput] = useState('')
  const [term] = useDebouncedValue(input.trim(), 150)
  const { data: found = [], isFetching } = useQuery({
    queryKey: [...queryKey, term],
    queryFn: ({ signal }) =>
      search({ query: { limit: 20, ...(term.length > 1 && { q: term }) }, signal }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  // Selected items stay in the options while the search shows others.
  const options = new Map([...value, ...found].map((each) => [each.value, each]))
  return (
    <MultiSelect
      searchable
      hidePickedOptions
      placeholder={t('picker.placeholder')}
      clearable
      clearButtonProps={{ 'aria-label': t('picker.clear') }}
      nothingFoundMessage={isFetching ? t('word.searching') : emptyMessage}
      {...props}
      value={value.map((each) => each.value)}
      onChange={(ids) => {
        onChange(ids.map((id) => options.get(id) ?? { value: id, label: id }))
        setOpen(false)
      }}
      searchValue={input}
      onSearchChange={setInput}
      // The dropdown opens on typing and closes on selection, so that it does not cover the fields
      // below.
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      filter={({ options: offered }) => offered}
      data={[...options.values()].map(({ value: id, label, disabled = false }) => ({
        value: id,
        label,
        disabled,
      }))}
      renderOption={({ option }) => <Option option={options.get(option.value)} />}
      {...scrollableDropdown}
      styles={{ ...scrollableDropdown.styles, pillsList: { maxHeight: 176, overflowY: 'auto' } }}
    />
  )
}

function Option({ option }: { readonly option: ManyOption | undefined }) {
  if (option === undefined) return null
  const { label, about = null, disabled = false } = option
  return (
    <div className="wrap">
      {label}
      {about !== null && (
        <Text size="xs" {...(!disabled && { c: 'dimmed' })}>
          {about}
        </Text>
      )}
    </div>
  )
}
