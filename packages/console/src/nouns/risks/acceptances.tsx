import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { riskAddress } from '#data/addresses.ts'
import { allItems } from '#data/lists.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { ExportButton } from '#kit/list/export-button.tsx'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { List } from '#kit/list/list.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { acceptanceColumns, type ListedAcceptance } from './acceptance-columns.tsx'
import { acceptancePages, riskSummaryQuery } from './queries.ts'
import { useRiskViews } from './risk-views.ts'

const fields: readonly FilterField[] = [
  { name: 'status', label: t('word.status'), kind: 'enum', set: 'acceptanceStatus' },
  { name: 'project_id', label: t('word.project'), kind: 'project' },
  { name: 'accepted_by_user_id', label: t('word.accepted-by'), kind: 'person' },
  { name: 'accepted_from', label: t('acceptances.from'), kind: 'date' },
  { name: 'accepted_before', label: t('acceptances.before'), kind: 'date' },
]
const names = fields.map(({ name }) => name)

/** Who accepted which risk, when, until when and why, at which score and under which appetite. */
export function Acceptances() {
  const filters = useFilters(names)
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const overview = useQuery(riskSummaryQuery({}, 'current'))
  const options = acceptancePages(filters.values, seesPeople)
  const acceptances = useInfiniteQuery({ ...options, placeholderData: keepPreviousData })
  const navigate = useNavigate()
  const onOpen = ({ project_id, risk_id }: ListedAcceptance) =>
    void navigate(riskAddress({ project_id, id: risk_id }))
  const none = filters.count > 0 ? 'acceptances.no-match' : 'acceptances.none'
  return (
    <ListPage
      title={t('risks.title')}
      actions={
        <ExportButton
          path="/v1/acceptances"
          query={{ ...filters.values, ...(seesPeople && { include: 'people' }) }}
          name="acceptances"
        />
      }
      views={useRiskViews(overview.data)}
      filters={filters}
      fields={fields}
    >
      <List
        label={t('risks.view.acceptances')}
        columns={acceptanceColumns}
        query={acceptances}
        queryKey={options.queryKey}
        total={acceptances.hasNextPage ? null : allItems(acceptances.data).length}
        hasRank={false}
        nameOf={nameOf}
        onOpen={onOpen}
        empty={<EmptyState title={t(none)} advice={t(`${none}.about`)} />}
      />
    </ListPage>
  )
}

const nameOf = ({ ref }: ListedAcceptance) => ref
