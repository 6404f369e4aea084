import { Button, Collapse, Group, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'

import { t } from '#text/index.ts'

import type { Filters } from './filters.ts'
import { IconFilter, IconSearch } from './icons/index.tsx'

import classes from './filter-bar.module.css'

// The filter fields load when the bar is first opened.
const fields = () => import('./filter-fields.tsx')
export const EnumFilter = lazyRouteComponent(fields, 'EnumFilter')
export const ChoiceFilter = lazyRouteComponent(fields, 'ChoiceFilter')
export const PersonFilter = lazyRouteComponent(fields, 'PersonFilter')
export const ProjectFilter = lazyRouteComponent(fields, 'ProjectFilter')
export const TextFilter = lazyRouteComponent(fields, 'TextFilter')
export const TagFilter = lazyRouteComponent(fields, 'TagFilter')

interface BarProps {
  readonly filters: Filters
  readonly label: string
  readonly children: ReactNode
}

/** The search field and the collapsible filters of a page. */
export function FilterBar({ filters, label, children }: BarProps) {
  const [isOpen, { toggle }] = useDisclosure(filters.count > 0)
  const [wasOpened, setOpened] = useState(isOpen)
  const open = () => {
    setOpened(true)
    toggle()
  }
  const name = filters.count > 0 ? t('filter.some', { count: filters.count }) : t('filter.title')
  return (
    <search aria-label={label} className="no-print">
      <Group gap="xs" align="flex-end">
        <SearchField filters={filters} />
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          onClick={open}
          aria-expanded={isOpen}
        >
          {name}
        </Button>
        {filters.count > 0 && (
          <Button variant="subtle" onClick={filters.clear}>
            {t('filter.clear')}
          </Button>
        )}
      </Group>
      <Collapse expanded={isOpen}>
        <Suspense>{wasOpened && <div className={classes.fields}>{children}</div>}</Suspense>
      </Collapse>
    </search>
  )
}

/** Debounced search. */
function SearchField({ filters }: { readonly filters: Filters }) {
  const given = filters.values['q'] ?? ''
  const [text, setText] = useState(given)
  useEffect(() => setText(given), [given])
  const search = useDebouncedCallback((q: string) => {
    const wanted = q.trim()
    if (wanted.length !== 1) filters.set({ q: wanted === '' ? null : wanted })
  }, 250)
  return (
    <TextInput
      type="search"
      aria-label={t('filter.search')}
      placeholder={t('filter.search')}
      leftSection={<IconSearch size={16} />}
      value={text}
      maxLength={100}
      w={{ base: '100%', xs: 260 }}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        search(currentTarget.value)
      }}
    />
  )
}
