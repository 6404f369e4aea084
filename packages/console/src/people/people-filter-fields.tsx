import { Autocomplete } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { t } from '#text/index.ts'
import type { Filters } from '#ui/filters.ts'
import { scrolling } from '#ui/picker.ts'

import { GroupPicker } from './group-picker.tsx'
import { wordsQuery } from './queries.ts'

export function GroupFilter({ filters }: { readonly filters: Filters }) {
  return (
    <GroupPicker
      label={t('people.group')}
      value={filters.values['group_id'] ?? null}
      onChange={(id) => filters.set({ group_id: id })}
    />
  )
}

interface Props {
  readonly filters: Filters
  readonly name: 'department' | 'title'
  readonly label: string
}

/** A filter that matches the whole of a field: it offers what people have, and takes any other. */
export function WholeWordFilter({ filters, name, label }: Props) {
  const given = filters.values[name] ?? ''
  const sent = useRef(given)
  const [text, setText] = useState(given)
  const [isOpened, setOpened] = useState(false)
  const { data: words } = useQuery({ ...wordsQuery, enabled: isOpened })
  useEffect(() => {
    // What one is still typing is not put back to what was last sent of it.
    if (given !== sent.current) setText(given)
    sent.current = given
  }, [given])
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed.trim()
    filters.set({ [name]: sent.current })
  }, 400)
  return (
    <Autocomplete
      {...scrolling}
      label={label}
      placeholder={t('people.whole-word')}
      data={words?.[name] ?? []}
      limit={50}
      maxLength={200}
      value={text}
      clearable
      clearButtonProps={{ 'aria-label': t('filter.clear-one', { name: label }) }}
      onDropdownOpen={() => setOpened(true)}
      onChange={(typed) => {
        setText(typed)
        send(typed)
      }}
    />
  )
}
