import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Noun } from '#data/query-client.ts'
import { t } from '#text/index.ts'

import { scrollableDropdown } from './scrollable-dropdown.ts'

interface Option {
  readonly value: string
  readonly label: string
}

export interface PickerProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** The search request. A term of one character returns the first items instead. */
export interface SearchRequest {
  readonly query: { readonly limit: number; readonly q?: string }
  readonly signal: AbortSignal
}

interface Props extends PickerProps {
  /** The prefix of the query keys of the results. */
  readonly queryKey: readonly [Noun, ...string[]]
  readonly search: (request: SearchRequest) => Promise<readonly Option[]>
  /**
   * The selected option, with the same label as in the results. A different label would reset the
   * input on every search and lose the typed text.
   */
  readonly selected: Option | null
  /** Options that are always offered. */
  readonly pinned?: readonly Option[]
  readonly emptyMessage: string
}

/** A select that searches on the server. It sends no request until it is opened. */
export function SearchPicker(props: Props) {
  const { value, queryKey, search, selected, pinned = [], emptyMessage, ...rest } = props
  const [input, setInput] = useState('')
  const [isOpened, setOpened] = useState(false)
  const [term] = useDebouncedValue(input.trim(), 150)
  const { data = [], isFetching } = useQuery({
    queryKey: [...queryKey, term],
    queryFn: ({ signal }) =>
      search({ query: { limit: 20, ...(term.length > 1 && { q: term }) }, signal }),
    enabled: isOpened,
    placeholderData: (previous) => previous,
  })
  const found = [...pinned, ...data]
  const isOffered = value === null || found.some((each) => each.value === value)
  const options = isOffered ? found : [selected ?? { value, label: value }, ...found]
  // The input shows the label of the selected option, which is not a search term.
  const handleSearch = (text: string) =>
    setInput(options.some(({ label }) => label === text) ? '' : text)
  return (
    <Select
      {...scrollableDropdown}
      searchable
      clearable
      // Choosing the chosen option again keeps it; the button clears it.
      allowDeselect={false}
      clearButtonProps={{ 'aria-label': t('picker.clear') }}
      placeholder={t('picker.placeholder')}
      {...rest}
      nothingFoundMessage={isFetching ? t('word.searching') : emptyMessage}
      value={value}
      onSearchChange={handleSearch}
      onDropdownOpen={() => setOpened(true)}
      filter={({ options: offered }) => offered}
      data={options}
    />
  )
}
