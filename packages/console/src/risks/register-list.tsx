import type { RegisterEntry } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

import type { Pages } from '#api/lists.ts'
import { formatNumber, t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { Flags, Score } from '#ui/level.tsx'
import { AnchorLink, ButtonLink, RiskLink } from '#ui/links.tsx'
import { ListSection } from '#ui/list-section.tsx'
import { EmptyState } from '#ui/page.tsx'
import { type Column, VirtualTable } from '#ui/virtual-table.tsx'

const columns: readonly Column<RegisterEntry>[] = [
  {
    name: t('risks.rank'),
    width: '56px',
    cell: ({ rank }) => <span className="number">{formatNumber(rank)}</span>,
  },
  {
    name: t('risks.score'),
    width: '104px',
    cell: (risk) => <Score risk={risk} />,
  },
  {
    name: t('risks.risk'),
    width: 'minmax(220px, 3fr)',
    isUnlabelled: true,
    cell: ({ id, project_id, ref, title }) => (
      <RiskLink id={id} project_id={project_id} inherit>
        {ref} {title}
      </RiskLink>
    ),
  },
  {
    name: t('risks.project'),
    width: 'minmax(110px, 1fr)',
    cell: ({ project }) => (
      <AnchorLink to="/projects/$project_id" params={{ project_id: project.id }} inherit>
        {project.name}
      </AnchorLink>
    ),
  },
  {
    name: t('risks.owner'),
    width: 'minmax(110px, 1fr)',
    cell: ({ owner, owner_user_id }) => owner?.name ?? owner_user_id ?? t('person.none'),
  },
  {
    name: t('risks.status'),
    width: '96px',
    cell: ({ status }) => label('riskStatus', status),
  },
  {
    name: t('risks.flags'),
    width: '160px',
    cell: ({ flags }) => <Flags set="riskFlag" flags={flags} />,
  },
]

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<RegisterEntry>>
  readonly total: number | null
  readonly isFiltered: boolean
}

/** Live risks by rank. */
export function RegisterList({ query, total, isFiltered }: Props) {
  return (
    <ListSection
      title={t('risks.list')}
      count={total === null ? '' : t('risks.count', { count: total })}
    >
      <VirtualTable
        label={t('risks.list')}
        columns={columns}
        query={query}
        total={total}
        empty={isFiltered ? <NoMatches /> : <NoRisks />}
      />
    </ListSection>
  )
}

function NoMatches() {
  return <EmptyState title={t('risks.no-match')} advice={t('risks.no-match.about')} />
}

function NoRisks() {
  return (
    <EmptyState title={t('risks.none')} advice={t('risks.none.about')}>
      <ButtonLink to="/start" search={{}}>
        {t('risks.none.start')}
      </ButtonLink>
    </EmptyState>
  )
}
