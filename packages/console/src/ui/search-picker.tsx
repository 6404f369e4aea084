import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Noun } from '#api/cache.ts'
import { t } from '#text/index.ts'

import { scrolling } from './picker.ts'

interface Option {
  readonly value: string
  readonly label: string
}

export interface PickerProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** What is asked of the service for what was typed; of one letter, the first of all. */
export interface Wanted {
  readonly query: { readonly limit: number; readonly q?: string }
  readonly signal: AbortSignal
}

interface Props extends PickerProps {
  /** Under which what was found is kept. */
  readonly found: readonly [Noun, ...string[]]
  readonly find: (wanted: Wanted) => Promise<readonly Option[]>
  /**
   * What is chosen, in the same words as in the list: were they others, the field would begin anew
   * whenever the list changes, and what is being typed would be lost.
   */
  readonly own: Option | null
  /** What can be chosen whatever is typed. */
  readonly always?: readonly Option[]
  readonly nothing: string
}

/** Finds something as it is typed. Nothing is asked for until it is opened. */
export function SearchPicker(props: Props) {
  const { value, found: key, find, own, always = [], nothing, ...rest } = props
  const [typed, setTyped] = useState('')
  const [isOpened, setOpened] = useState(false)
  const [wanted] = useDebouncedValue(typed.trim(), 150)
  const { data = [], isFetching } = useQuery({
    queryKey: [...key, wanted],
    queryFn: ({ signal }) =>
      find({ query: { limit: 20, ...(wanted.length > 1 && { q: wanted }) }, signal }),
    enabled: isOpened,
    placeholderData: (before) => before,
  })
  const found = [...always, ...data]
  const isOffered = value === null || found.some((each) => each.value === value)
  const options = isOffered ? found : [own ?? { value, label: value }, ...found]
  // What is chosen stands in the field, and is not what is looked for.
  const search = (text: string) => setTyped(options.some(({ label }) => label === text) ? '' : text)
  return (
    <Select
      {...scrolling}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('picker.clear') }}
      placeholder={t('picker.placeholder')}
      {...rest}
      nothingFoundMessage={isFetching ? t('picker.looking') : nothing}
      value={value}
      onSearchChange={search}
      onDropdownOpen={() => setOpened(true)}
      filter={({ options: offered }) => offered}
      data={options}
    />
  )
}
