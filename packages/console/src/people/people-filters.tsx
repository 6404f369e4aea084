import { lazyRouteComponent } from '@tanstack/react-router'

import { t } from '#text/index.ts'
import { FilterBar, PersonFilter, WordsFilter } from '#ui/filter-bar.tsx'
import type { Filters } from '#ui/filters.ts'

const fields = () => import('./people-filter-fields.tsx')
const GroupFilter = lazyRouteComponent(fields, 'GroupFilter')
const WholeWordFilter = lazyRouteComponent(fields, 'WholeWordFilter')

/** What the directory can be narrowed to, by the API's own names. */
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
      <WordsFilter filters={filters} name="status" label={t('people.status')} set="personStatus" />
      <WholeWordFilter filters={filters} name="department" label={t('people.department')} />
      <WholeWordFilter filters={filters} name="title" label={t('people.job')} />
      <GroupFilter filters={filters} />
      <PersonFilter filters={filters} name="manager_user_id" label={t('people.manager')} />
    </FilterBar>
  )
}
