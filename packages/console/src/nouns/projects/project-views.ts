import { useQuery } from '@tanstack/react-query'

import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { filterOf, searchFilter } from '#kit/fields/field-filters.ts'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { lastChange, type SortChoice } from '#kit/list/sort.ts'
import type { ListView } from '#kit/list/views.tsx'
import { t } from '#text/index.ts'

import { healthFields, projectFields } from './fields.ts'
import { projectCountQuery } from './queries.ts'

export const projectFilters: readonly FilterField[] = [
  searchFilter,
  filterOf(projectFields.status),
  filterOf(healthFields.health),
  filterOf(projectFields.owner_user_id),
]

const sorts: readonly SortChoice[] = [
  { value: 'worst', label: t('projects.sort.worst') },
  { value: 'name', label: t('word.name') },
  { value: 'owner', label: t('word.owner') },
  { value: 'due_on', label: t('word.due') },
  { value: '-created_at', label: t('word.newest') },
  lastChange,
]

/** Sorting by owner shows the order of the names. */
export function useProjectSorts(): readonly SortChoice[] {
  const seesPeople = useMissingScopeReason('personnel.read') === null
  return seesPeople ? sorts : sorts.filter(({ value }) => value !== 'owner')
}

/** The views, with the numbers that one small request gives. */
export function useProjectViews(): readonly ListView[] {
  const hasPerson = useWhoami().person !== null
  const all = useQuery(projectCountQuery(''))
  const active = useQuery(projectCountQuery('active'))
  const archived = useQuery(projectCountQuery('archived'))
  return [
    { key: '', name: t('word.all'), count: all.data },
    { key: 'active', name: t('projects.view.active'), count: active.data },
    ...(hasPerson ? [{ key: 'mine', name: t('word.mine') }] : []),
    { key: 'attention', name: t('projects.view.attention') },
    { key: 'archived', name: t('projects.view.archived'), count: archived.data },
  ]
}
