import { Autocomplete } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import type { FieldProps } from '#kit/list/filter-fields.tsx'
import { GroupPicker } from '#kit/references/group-picker.tsx'
import { scrollableDropdown } from '#kit/references/scrollable-dropdown.ts'
import { t } from '#text/index.ts'

import { personFields } from './fields.ts'
import { fieldValuesQuery } from './queries.ts'

export function GroupFilter({ filters }: FieldProps) {
  return (
    <GroupPicker
      label={t('word.group')}
      value={filters.values['group_id'] ?? null}
      onChange={(id) => filters.set({ group_id: id })}
    />
  )
}

/** A filter that matches the whole value of a field. Suggests known values and accepts others. */
export function ExactValueFilter({ filters, name, label }: FieldProps) {
  const field = name === 'title' ? 'title' : 'department'
  const given = filters.values[name] ?? ''
  const sent = useRef(given)
  const [text, setText] = useState(given)
  const [isOpened, setOpened] = useState(false)
  const { data: fieldValues } = useQuery({ ...fieldValuesQuery, enabled: isOpened })
  useEffect(() => {
    // Do not overwrite text that the user is still typing.
    if (given !== sent.current) setText(given)
    sent.current = given
  }, [given])
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed.trim()
    filters.set({ [name]: sent.current })
  }, 400)
  return (
    <Autocomplete
      {...scrollableDropdown}
      label={label}
      placeholder={t('people.whole-word')}
      data={fieldValues?.[field] ?? []}
      limit={50}
      maxLength={personFields[field].maxLength}
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
