import { lazyRouteComponent } from '@tanstack/react-router'

import type { FilterField } from '#kit/list/filter-menu.tsx'
import type { Filters } from '#kit/list/filters.ts'
import { useGroupName } from '#kit/references/group-links.tsx'
import { t } from '#text/index.ts'

const components = () => import('./people-filter-fields.tsx')
const GroupFilter = lazyRouteComponent(components, 'GroupFilter')
const ExactValueFilter = lazyRouteComponent(components, 'ExactValueFilter')

const status = {
  name: 'status',
  label: t('people.status'),
  kind: 'enum',
  set: 'personStatus',
} as const

/** The filters of the directory, which are query parameters of the API. */
export function usePeopleFields(filters: Filters, withStatus: boolean): readonly FilterField[] {
  const groupName = useGroupName(filters.values['group_id'] ?? null)
  const exact = { kind: 'custom', component: ExactValueFilter } as const
  return [
    { name: 'q', label: t('filter.search'), kind: 'search' },
    ...(withStatus ? [status] : []),
    { ...exact, name: 'department', label: t('people.department') },
    { ...exact, name: 'title', label: t('people.job') },
    {
      name: 'group_id',
      label: t('people.group'),
      kind: 'custom',
      component: GroupFilter,
      valueName: () => groupName,
    },
    { name: 'manager_user_id', label: t('people.manager'), kind: 'person' },
  ]
}
