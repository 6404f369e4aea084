import { t } from '#text/index.ts'
import { EnumFilter, FilterBar, PersonFilter, ProjectFilter, TagFilter } from '#ui/filter-bar.tsx'
import type { Filters } from '#ui/filters.ts'

/** The names of the filters, which are query parameters of the API. */
export const riskFilterNames = [
  'q',
  'level',
  'likelihood',
  'impact',
  'project_id',
  'owner_user_id',
  'category',
  'status',
  'response',
  'flag',
  'tag',
]

const live = ['identified', 'treating', 'monitoring']

export function RiskFilters({ filters }: { readonly filters: Filters }) {
  return (
    <FilterBar filters={filters} label={t('risks.filters')}>
      <EnumFilter filters={filters} name="level" label={t('risks.level')} set="level" />
      <ProjectFilter filters={filters} />
      <PersonFilter filters={filters} name="owner_user_id" label={t('risks.owner')} />
      <EnumFilter
        filters={filters}
        name="category"
        label={t('risks.category')}
        set="riskCategory"
      />
      <EnumFilter
        filters={filters}
        name="status"
        label={t('risks.status')}
        set="riskStatus"
        only={live}
      />
      <EnumFilter
        filters={filters}
        name="response"
        label={t('risks.response')}
        set="riskResponse"
      />
      <EnumFilter filters={filters} name="flag" label={t('risks.flags')} set="riskFlag" />
      <TagFilter filters={filters} />
    </FilterBar>
  )
}
