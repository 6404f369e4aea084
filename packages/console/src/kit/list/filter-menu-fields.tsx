import {
  ChoiceFilter,
  EnumFilter,
  PersonFilter,
  ProjectFilter,
  TagFilter,
  TextFilter,
} from './filter-fields.tsx'
import type { FilterField } from './filter-menu.tsx'
import type { Filters } from './filters.ts'

import classes from './list-page.module.css'

interface Props {
  readonly filters: Filters
  readonly fields: readonly FilterField[]
}

export function FilterFields({ filters, fields }: Props) {
  return (
    <div className={classes.fields}>
      {fields
        .filter(({ isChipOnly = false }) => !isChipOnly)
        .map(({ component: Custom, ...field }) =>
          Custom ? (
            <Custom key={field.name} filters={filters} name={field.name} label={field.label} />
          ) : (
            <Field key={field.name} filters={filters} field={field} />
          ),
        )}
    </div>
  )
}

function Field({ filters, field }: { readonly filters: Filters; readonly field: FilterField }) {
  const { kind, name, label, set, only, data = [] } = field
  const props = { filters, name, label }
  if (kind === 'enum') return set && <EnumFilter {...props} set={set} {...(only && { only })} />
  if (kind === 'choice') return <ChoiceFilter {...props} data={data} />
  if (kind === 'person') return <PersonFilter {...props} />
  if (kind === 'project') return <ProjectFilter filters={filters} />
  if (kind === 'tags') return <TagFilter filters={filters} />
  if (kind === 'date') return <TextFilter {...props} type="date" />
  return <TextFilter {...props} {...(kind === 'search' && { parse: searchTerm })} />
}

/** The API needs at least two characters. */
const searchTerm = (typed: string) => (typed.trim().length === 1 ? '' : typed.trim())
