import { t } from '#text/index.ts'
import {
  ChoiceFilter,
  FilterBar,
  PersonFilter,
  ProjectFilter,
  TagFilter,
  TextFilter,
  WordsFilter,
} from '#ui/filter-bar.tsx'
import type { Filters } from '#ui/filters.ts'

import { useSeverities } from './severity.tsx'

/** What the open issues can be narrowed to, by the API's own names. */
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

const open = ['open', 'in_progress', 'blocked']

interface Props {
  readonly filters: Filters
}

export function IssueFilters({ filters }: Props) {
  return (
    <FilterBar filters={filters} label={t('issues.filters')}>
      <SeverityFilter filters={filters} />
      <WordsFilter
        filters={filters}
        name="status"
        label={t('issues.status')}
        set="issueStatus"
        only={open}
      />
      <ProjectFilter filters={filters} />
      <PersonFilter filters={filters} name="assignee_user_id" label={t('issues.assignee')} />
      <WordsFilter filters={filters} name="flag" label={t('issues.flags')} set="issueFlag" />
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
