import { MultiSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'

import { PersonPicker } from '#kit/references/person-picker.tsx'
import { ProjectPicker } from '#kit/references/project-picker.tsx'
import { scrollableDropdown } from '#kit/references/scrollable-dropdown.ts'
import { t } from '#text/index.ts'
import { choices, type LabelSet } from '#text/labels.ts'

import type { Filters } from './filters.ts'

export interface FieldProps {
  readonly filters: Filters
  readonly name: string
  readonly label: string
}

export interface ChoiceProps extends FieldProps {
  readonly data: readonly { readonly value: string; readonly label: string }[]
}

/** Filters by any of the selected values. */
export function ChoiceFilter({ filters, name, label, data }: ChoiceProps) {
  const chosen = filters.getAll(name)
  return (
    <MultiSelect
      {...scrollableDropdown}
      label={label}
      data={data}
      value={chosen}
      onChange={(values) => filters.set({ [name]: values })}
      clearable
      clearButtonProps={{ 'aria-label': t('filter.clear-one', { name: label }) }}
      {...(chosen.length === 0 && { placeholder: t('filter.any') })}
    />
  )
}

export interface EnumProps extends FieldProps {
  readonly set: LabelSet
  /** The offered values, if not all of the set. */
  readonly only?: readonly string[]
}

/** Filters by values of an enum of the API. */
export function EnumFilter({ set, only, ...props }: EnumProps) {
  const data = choices(set).filter(({ value }) => only?.includes(value) ?? true)
  return <ChoiceFilter {...props} data={data} />
}

export interface TextProps extends FieldProps {
  readonly type?: 'text' | 'date'
  readonly parse?: (typed: string) => string
}

/** Debounced text filter, because an incomplete date or word matches nothing. */
export function TextFilter(props: TextProps) {
  const { filters, name, label, type = 'text', parse = (typed) => typed } = props
  const given = filters.values[name] ?? ''
  const [text, setText] = useState(given)
  useEffect(() => setText(given), [given])
  const set = useDebouncedCallback((typed: string) => filters.set({ [name]: parse(typed) }), 400)
  return (
    <TextInput
      type={type}
      label={label}
      placeholder={t('filter.any')}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        set(currentTarget.value)
      }}
    />
  )
}

/** Splits the text into tags and removes duplicates; any of them may match. */
const parseTags = (typed: string) =>
  [...new Set(typed.split(/[\s,]+/).filter((tag) => tag !== ''))].join(',')

export function TagFilter({ filters }: { readonly filters: Filters }) {
  return <TextFilter filters={filters} name="tag" label={t('filter.tag')} parse={parseTags} />
}

/** Filters by a person, or by unassigned. */
export function PersonFilter({ filters, name, label }: FieldProps) {
  return (
    <PersonPicker
      label={label}
      value={filters.values[name] ?? null}
      onChange={(id) => filters.set({ [name]: id })}
      withNone
    />
  )
}

export function ProjectFilter({ filters }: { readonly filters: Filters }) {
  return (
    <ProjectPicker
      label={t('word.project')}
      value={filters.values['project_id'] ?? null}
      onChange={(id) => filters.set({ project_id: id })}
    />
  )
}
