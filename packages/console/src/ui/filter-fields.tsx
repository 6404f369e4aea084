import { MultiSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'

import { t } from '#text/index.ts'
import { choices, type LabelSet } from '#text/labels.ts'

import type { Filters } from './filters.ts'
import { PersonPicker } from './person-picker.tsx'
import { scrolling } from './picker.ts'
import { ProjectPicker } from './project-picker.tsx'

export interface FieldProps {
  readonly filters: Filters
  readonly name: string
  readonly label: string
}

export interface ChoiceProps extends FieldProps {
  readonly data: readonly { readonly value: string; readonly label: string }[]
}

/** A filter by some of a few values: any of them may match. */
export function ChoiceFilter({ filters, name, label, data }: ChoiceProps) {
  const chosen = filters.listOf(name)
  return (
    <MultiSelect
      {...scrolling}
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

export interface WordsProps extends FieldProps {
  readonly set: LabelSet
  /** The words that can be asked for, where that is not all of the set. */
  readonly only?: readonly string[]
}

/** A filter by words of the API. */
export function WordsFilter({ set, only, ...props }: WordsProps) {
  const data = choices(set).filter(({ value }) => only?.includes(value) ?? true)
  return <ChoiceFilter {...props} data={data} />
}

export interface TextProps extends FieldProps {
  readonly type?: 'text' | 'date'
  readonly read?: (typed: string) => string
}

/** A filter that is typed: it is set once one pauses, since half a date or word finds nothing. */
export function TextFilter(props: TextProps) {
  const { filters, name, label, type = 'text', read = (typed) => typed } = props
  const given = filters.values[name] ?? ''
  const [text, setText] = useState(given)
  useEffect(() => setText(given), [given])
  const set = useDebouncedCallback((typed: string) => filters.set({ [name]: read(typed) }), 400)
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

/** A tag is one word; of several, each once, any may match. */
const tagsIn = (typed: string) =>
  [...new Set(typed.split(/[\s,]+/).filter((tag) => tag !== ''))].join(',')

export function TagFilter({ filters }: { readonly filters: Filters }) {
  return <TextFilter filters={filters} name="tag" label={t('filter.tag')} read={tagsIn} />
}

/** A filter by the people whom something belongs to; nobody is one of them. */
export function PersonFilter({ filters, name, label }: FieldProps) {
  return (
    <PersonPicker
      label={label}
      value={filters.values[name] ?? null}
      onChange={(id) => filters.set({ [name]: id })}
      withNobody
    />
  )
}

export function ProjectFilter({ filters }: { readonly filters: Filters }) {
  return (
    <ProjectPicker
      label={t('filter.project')}
      value={filters.values['project_id'] ?? null}
      onChange={(id) => filters.set({ project_id: id })}
    />
  )
}
