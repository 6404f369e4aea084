import { lazyRouteComponent } from '@tanstack/react-router'

import { filterOf, searchFilter } from '#kit/fields/field-filters.ts'
import type { DescribedField } from '#kit/fields/field.ts'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { useGroupName } from '#kit/references/group-links.tsx'
import { t } from '#text/index.ts'

import { personFields, statusFields } from './fields.ts'

const components = () => import('./people-filter-fields.tsx')
const GroupFilter = lazyRouteComponent(components, 'GroupFilter')
const ExactValueFilter = lazyRouteComponent(components, 'ExactValueFilter')

const exactFilter = ({ name, label }: DescribedField): FilterField => ({
  name,
  label,
  kind: 'custom',
  component: ExactValueFilter,
})

/** The filters of the directory. The view of a status replaces the filter. */
export function usePeopleFilters(view: string): readonly FilterField[] {
  const { group_id = null } = useFilters(['group_id']).values
  const groupName = useGroupName(group_id)
  return [
    searchFilter,
    ...(view === '' ? [filterOf(statusFields.status)] : []),
    exactFilter(personFields.department),
    exactFilter(personFields.title),
    {
      name: 'group_id',
      label: t('word.group'),
      kind: 'custom',
      component: GroupFilter,
      valueName: () => groupName,
    },
    filterOf(personFields.manager_user_id),
  ]
}
