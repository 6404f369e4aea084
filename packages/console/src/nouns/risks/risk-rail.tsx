import type { Risk, RiskSummary } from '@muster/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { Search } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { IconAbove, IconClockExclamation, IconUser, IconUserOff } from '#kit/icons/index.tsx'
import type { Filters } from '#kit/list/filters.ts'
import { Bucket, RailSection, Todo } from '#kit/list/rail.tsx'
import { AnchorLink, RiskLink } from '#kit/parts/links.tsx'
import { formatNumber, t } from '#text/index.ts'

import type { AttentionBucket } from './attention.ts'
import { HeatMap } from './heat-map.tsx'
import { filterValuesMax, treatedQuery, worstRisksQuery } from './queries.ts'
import type { ListedRisk } from './risk-columns.tsx'
import type { OpenRiskDialog } from './use-risk-dialog.tsx'

interface AttentionProps {
  readonly buckets: readonly AttentionBucket[]
  /** The filters of the page. */
  readonly query: Search
  /** The highest-ranked risks that are loaded; undefined until they are. */
  readonly risks: readonly ListedRisk[] | undefined
  /** Whether these are all risks that match the filters. */
  readonly hasAll: boolean
  readonly open: OpenRiskDialog
}

interface Props extends AttentionProps {
  /** The counts of the heat map. */
  readonly map: RiskSummary | undefined
  readonly filters: Filters
  /** The list itself shows the buckets. */
  readonly isMapOnly: boolean
}

/** The heat map, and what needs attention with its remedy. */
export function RiskRail({ map, filters, isMapOnly, ...props }: Props) {
  return (
    <>
      <HeatMap summary={map} filters={filters} />
      {!isMapOnly && props.risks && <Attention {...props} />}
    </>
  )
}

/** The number of risks that a bucket shows. */
const shownMax = 2

function Attention({ buckets, query, risks = [], hasAll, open }: AttentionProps) {
  const loaded = buckets.map(({ includes }) => risks.filter(includes))
  // The loaded page has the highest ranks, so it often has the worst of a bucket.
  const further = useQueries({
    queries: buckets.map(({ filter }, at) => ({
      ...worstRisksQuery({ ...query, ...filter }),
      enabled: !hasAll && (loaded[at]?.length ?? 0) < shownMax,
    })),
  })
  const worst = loaded.map((found, at) => further[at]?.data ?? found)
  const above = worst[buckets.findIndex(({ key }) => key === 'above')] ?? []
  const aboveIds = above.slice(0, filterValuesMax).map(({ id }) => id)
  const { data: treated } = useQuery(treatedQuery(aboveIds))
  const needsRemedy = (bucket: AttentionBucket, id: string) =>
    bucket.key !== 'above' || (treated !== undefined && !treated.includes(id))
  return (
    <RailSection title={t('attention.title')}>
      {buckets.length === 0 && (
        <p>{t(risks.length === 0 ? 'attention.empty' : 'attention.none')}</p>
      )}
      {buckets.map((bucket, at) => (
        <RiskBucket
          key={bucket.key}
          bucket={bucket}
          query={query}
          risks={(worst[at] ?? []).filter(({ id }) => needsRemedy(bucket, id)).slice(0, shownMax)}
          open={open}
        />
      ))}
    </RailSection>
  )
}

const icons: Readonly<Record<AttentionBucket['key'], ReactNode>> = {
  overdue: <IconClockExclamation size={14} />,
  expired: <IconClockExclamation size={14} />,
  'no-owner': <IconUser size={14} />,
  above: <IconAbove size={14} />,
  suspended: <IconUserOff size={14} />,
}

interface BucketProps extends Pick<AttentionProps, 'query' | 'open'> {
  readonly bucket: AttentionBucket
  readonly risks: readonly Risk[]
}

function RiskBucket({ bucket, query, risks, open }: BucketProps) {
  const reason = useMissingScopeReason('projects.manage')
  const { key, title, count, filter, remedy, action } = bucket
  const number = count === null ? t('attention.show-all') : formatNumber(count)
  return (
    <Bucket
      icon={icons[key]}
      title={title}
      all={
        <AnchorLink
          to="/risks"
          search={key === 'above' ? { ...query, view: 'above' } : { ...query, ...filter }}
          aria-label={t('attention.all', { number, title })}
        >
          {number}
        </AnchorLink>
      }
    >
      {risks.map((risk) => (
        <Todo
          key={risk.id}
          link={
            <RiskLink id={risk.id} project_id={risk.project_id} inherit>
              {risk.title}
            </RiskLink>
          }
          remedy={remedy}
          label={t('attention.remedy', { remedy, ref: risk.ref })}
          reason={reason}
          onClick={() => open(action, risk)}
        />
      ))}
    </Bucket>
  )
}
