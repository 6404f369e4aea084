import { Button, type ButtonProps, UnstyledButton } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentProps, type ComponentType, Suspense, useState } from 'react'

import { IconFilter, IconX } from '#kit/icons/index.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { useProjectNames } from '#kit/references/projects.ts'
import { t } from '#text/index.ts'
import { label, type LabelSet } from '#text/labels.ts'

import type { FieldProps } from './filter-fields.tsx'
import type { Filters } from './filters.ts'

import classes from './list-page.module.css'

/** A filter of a list. It is offered in the menu and shown as a chip. */
export interface FilterField {
  /** The query parameter of the API. */
  readonly name: string
  readonly label: string
  readonly kind:
    | 'search'
    | 'enum'
    | 'choice'
    | 'person'
    | 'project'
    | 'tags'
    | 'text'
    | 'date'
    | 'custom'
  /** The names of the values, for `enum`. */
  readonly set?: LabelSet
  /** The offered values of the set, if not all. */
  readonly only?: readonly string[]
  /** The values, for `choice`. */
  readonly data?: readonly { readonly value: string; readonly label: string }[]
  /** The field, for `custom`. */
  readonly component?: ComponentType<FieldProps>
  /** The text of a value in the chip, if the kind does not give it. */
  readonly valueName?: (value: string) => string
  /** Shown as a chip only; something else sets it, such as the heat map. */
  readonly isChipOnly?: boolean
}

// The menu loads on first use.
const FilterPopover = lazyRouteComponent(() => import('./filter-popover.tsx'), 'FilterPopover')
const load = () => void FilterPopover.preload?.()

interface Props {
  readonly filters: Filters
  readonly fields: readonly FilterField[]
}

/** The filters that are set, as chips, and the menu that sets them. */
export function FilterMenu({ filters, fields }: Props) {
  // Each press of a chip opens the menu.
  const [openings, setOpenings] = useState(0)
  const open = () => setOpenings(openings + 1)
  const button = <FilterButton onClick={open} onPointerEnter={load} onFocus={load} />
  return (
    <search aria-label={t('filter.title')} className={classes.chips}>
      <Chips filters={filters} fields={fields} onOpen={open} />
      {openings === 0 ? (
        button
      ) : (
        <Suspense fallback={button}>
          <FilterPopover filters={filters} fields={fields} openings={openings} />
        </Suspense>
      )}
      {filters.count > 1 && (
        <Button variant="subtle" color="gray" onClick={filters.clear}>
          {t('filter.clear')}
        </Button>
      )}
    </search>
  )
}

export const FilterButton = (props: ButtonProps & ComponentProps<'button'>) => (
  <Button
    variant="subtle"
    color="gray"
    leftSection={<IconFilter size={16} />}
    aria-expanded={false}
    data-shortcut="f"
    {...props}
  >
    {t('filter.title')}
  </Button>
)

interface ChipsProps extends Props {
  readonly onOpen: () => void
}

function Chips({ filters, fields, onOpen }: ChipsProps) {
  const valueText = useValueTexts({ filters, fields })
  return fields
    .filter(({ name }) => filters.values[name] !== undefined)
    .map((field) => (
      <span key={field.name} className={classes.chip}>
        <span className={classes.field}>{field.label}</span>
        <UnstyledButton className={classes.value} onClick={onOpen}>
          {filters
            .getAll(field.name)
            .map((value) => valueText(field, value))
            .join(', ')}
        </UnstyledButton>
        <UnstyledButton
          aria-label={t('filter.clear-one', { name: field.label })}
          onClick={() => filters.set({ [field.name]: null })}
        >
          <IconX size={12} />
        </UnstyledButton>
      </span>
    ))
}

interface ValueTextProps extends Pick<Props, 'fields'> {
  readonly filters: Pick<Filters, 'getAll'>
}

/** The text of a value of a filter: names instead of ids. */
export function useValueTexts({ filters, fields }: ValueTextProps) {
  const idsOf = (kind: FilterField['kind']) =>
    fields.filter((field) => field.kind === kind).flatMap(({ name }) => filters.getAll(name))
  const people = usePersonNames(idsOf('person').filter((id) => id !== 'none'))
  const projects = useProjectNames(idsOf('project'))
  return ({ kind, set, data, valueName }: FilterField, value: string): string => {
    if (valueName) return valueName(value)
    if (kind === 'person') return value === 'none' ? t('person.none') : (people.get(value) ?? '…')
    if (kind === 'project') return projects.get(value) ?? '…'
    if (kind === 'choice') return data?.find((each) => each.value === value)?.label ?? value
    return set === undefined ? value : label(set, value)
  }
}
