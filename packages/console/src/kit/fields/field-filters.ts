import type { FilterField } from '#kit/list/filter-menu.tsx'
import { t } from '#text/index.ts'

import type { DescribedField } from './field.ts'

/** Searches the texts of a record. */
export const searchFilter: FilterField = { name: 'q', label: t('word.search'), kind: 'search' }

/** Searches single tags. */
export const tagFilter: FilterField = { name: 'tag', label: t('filter.tag'), kind: 'tags' }

/** The filter for the values of a choice or a person; `only` is what it offers, if not all. */
export function filterOf(field: DescribedField, only?: readonly string[]): FilterField {
  const { name, label } = field
  if (field.kind !== 'choice') return { name, label, kind: 'person' }
  return { name, label, kind: 'enum', set: field.set, ...(only && { only }) }
}
