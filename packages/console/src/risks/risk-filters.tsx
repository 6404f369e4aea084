import { t } from '#text/index.ts'
import { FilterBar, PersonFilter, ProjectFilter, TagFilter, WordsFilter } from '#ui/filter-bar.tsx'
import type { Filters } from '#ui/filters.ts'

/** What the register can be narrowed to, by the API's own names. */
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
      <WordsFilter filters={filters} name="level" label={t('risks.level')} set="level" />
      <ProjectFilter filters={filters} />
      <PersonFilter filters={filters} name="owner_user_id" label={t('risks.owner')} />
      <WordsFilter
        filters={filters}
        name="category"
        label={t('risks.category')}
        set="riskCategory"
      />
      <WordsFilter
        filters={filters}
        name="status"
        label={t('risks.status')}
        set="riskStatus"
        only={live}
      />
      <WordsFilter
        filters={filters}
        name="response"
        label={t('risks.response')}
        set="riskResponse"
      />
      <WordsFilter filters={filters} name="flag" label={t('risks.flags')} set="riskFlag" />
      <TagFilter filters={filters} />
    </FilterBar>
  )
}
