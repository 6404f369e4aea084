import { lazyRouteComponent } from '@tanstack/react-router'

import { t } from '#text/index.ts'
import { EnumFilter, FilterBar, PersonFilter } from '#ui/filter-bar.tsx'
import type { Filters } from '#ui/filters.ts'

const fields = () => import('./people-filter-fields.tsx')
const GroupFilter = lazyRouteComponent(fields, 'GroupFilter')
const ExactValueFilter = lazyRouteComponent(fields, 'ExactValueFilter')

/** The names of the filters, which are query parameters of the API. */
export const peopleFilterNames = [
  'q',
  'status',
  'department',
  'title',
  'group_id',
  'manager_user_id',
]

export function PeopleFilters({ filters }: { readonly filters: Filters }) {
  return (
    <FilterBar filters={filters} label={t('people.filters')}>
      <EnumFilter filters={filters} name="status" label={t('people.status')} set="personStatus" />
      <ExactValueFilter filters={filters} name="department" label={t('people.department')} />
      <ExactValueFilter filters={filters} name="title" label={t('people.job')} />
      <GroupFilter filters={filters} />
      <PersonFilter filters={filters} name="manager_user_id" label={t('people.manager')} />
    </FilterBar>
  )
}
