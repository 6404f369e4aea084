import { t } from '#text/index.ts'
import {
  ChoiceFilter,
  EnumFilter,
  FilterBar,
  PersonFilter,
  ProjectFilter,
  TagFilter,
  TextFilter,
} from '#ui/filter-bar.tsx'
import type { Filters } from '#ui/filters.ts'

import { useSeverities } from './severity.tsx'

/** The names of the filters, which are query parameters of the API. */
export const issueFilterNames = [
  'q',
  'severity',
  'status',
  'flag',
  'project_id',
  'assignee_user_id',
  'tag',
  'opened_from',
  'opened_before',
]

const openStatuses = ['open', 'in_progress', 'blocked']

interface Props {
  readonly filters: Filters
}

export function IssueFilters({ filters }: Props) {
  return (
    <FilterBar filters={filters} label={t('issues.filters')}>
      <SeverityFilter filters={filters} />
      <EnumFilter
        filters={filters}
        name="status"
        label={t('issues.status')}
        set="issueStatus"
        only={openStatuses}
      />
      <ProjectFilter filters={filters} />
      <PersonFilter filters={filters} name="assignee_user_id" label={t('issues.assignee')} />
      <EnumFilter filters={filters} name="flag" label={t('issues.flags')} set="issueFlag" />
      <TagFilter filters={filters} />
      <TextFilter
        filters={filters}
        name="opened_from"
        label={t('issues.opened-from')}
        type="date"
      />
      <TextFilter
        filters={filters}
        name="opened_before"
        label={t('issues.opened-before')}
        type="date"
      />
    </FilterBar>
  )
}

function SeverityFilter({ filters }: Props) {
  const data = useSeverities().map(({ rating, name }) => ({
    value: String(rating),
    label: `${rating} · ${name}`,
  }))
  return <ChoiceFilter filters={filters} name="severity" label={t('issues.severity')} data={data} />
}
