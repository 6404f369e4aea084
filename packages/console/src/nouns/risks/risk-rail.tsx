import type { Risk, RiskSummary } from '@muster/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import type { ListResponse } from '#data/lists.ts'
import type { Search } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { IconAbove, IconClockExclamation, IconUser, IconUserOff } from '#kit/icons/index.tsx'
import type { ListAddress } from '#kit/list/list-query.ts'
import { Bucket, RailSection, Todo } from '#kit/list/rail.tsx'
import { AnchorLink, RiskLink } from '#kit/parts/links.tsx'
import { formatNumber, t } from '#text/index.ts'

import type { AttentionBucket } from './attention.ts'
import { HeatMap } from './heat-map.tsx'
import { filterValuesMax, type ListedRisk, treatedQuery, worstRisksQuery } from './queries.ts'
import type { OpenRiskDialog } from './risk-dialogs.tsx'
import type { RiskView } from './risk-views.ts'

interface AttentionProps {
  readonly list: ListAddress
  readonly buckets: readonly AttentionBucket[]
  /** The first page of the list. */
  readonly first: ListResponse<ListedRisk>
  readonly open: OpenRiskDialog
}

interface Props extends Omit<AttentionProps, 'first'> {
  readonly view: RiskView
  readonly summary: RiskSummary | undefined
  /** The counts of the heat map. */
  readonly map: RiskSummary | undefined
  readonly first: ListResponse<ListedRisk> | undefined
}

/** The heat map, and what needs attention with its remedy, which one view lists itself. */
export const RiskRail = ({ view, summary, map, first, ...props }: Props) => (
  <>
    <HeatMap summary={map} filters={props.list.filters} />
    {view !== 'attention' && summary && first && <Attention {...props} first={first} />}
  </>
)

/** The number of risks that a bucket shows. */
const shownMax = 2

function Attention({ list, buckets, first, open }: AttentionProps) {
  // In another order, the first page does not have the highest-ranked risks.
  const isRanked = list.sort.query['sort'] === undefined
  const risks = isRanked ? first.data : []
  const hasAll = isRanked && first.next_cursor === null
  const loaded = buckets.map(({ includes }) => risks.filter(includes))
  // The loaded page has the highest ranks, so it often has the worst of a bucket.
  const further = useQueries({
    queries: buckets.map(({ filter }, at) => ({
      ...worstRisksQuery({ ...list.filter, ...filter }),
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
    <RailSection title={t('word.attention')}>
      {buckets.length === 0 && (
        <p>{t(risks.length === 0 ? 'attention.empty' : 'attention.none')}</p>
      )}
      {buckets.map((bucket, at) => (
        <RiskBucket
          key={bucket.key}
          bucket={bucket}
          query={list.filter}
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

interface BucketProps {
  readonly bucket: AttentionBucket
  /** The filters of the page. */
  readonly query: Search
  readonly open: OpenRiskDialog
  readonly risks: readonly Risk[]
}

function RiskBucket({ bucket, query, risks, open }: BucketProps) {
  const reason = useMissingScopeReason('projects.manage')
  const { key, title, count, filter, remedy, action } = bucket
  const number = count === null ? t('word.all') : formatNumber(count)
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
          link={<RiskLink item={risk} />}
          remedy={remedy}
          label={t('attention.remedy', { remedy, ref: risk.ref })}
          reason={reason}
          onClick={() => open(action, risk)}
        />
      ))}
    </Bucket>
  )
}
