import type { Risk, RiskSummary } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import type { Search } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { aboveAppetite, suspendedQuery } from './queries.ts'
import type { RiskAction } from './risk-dialogs.tsx'
import { isAccepted } from './risk-level.ts'
import { ownedBy } from './risk-views.ts'

/** Risks that need the same remedy. */
export interface AttentionBucket {
  readonly key: 'overdue' | 'expired' | 'no-owner' | 'above' | 'suspended'
  readonly title: string
  /** Null if it is unknown. */
  readonly count: number | null
  readonly filter: Search
  readonly includes: (risk: Risk) => boolean
  readonly action: RiskAction
  readonly remedy: string
}

/** The user ids of suspended people; empty if the user may not see people. */
export function useSuspended(isEnabled: boolean): readonly string[] {
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const { data } = useQuery({ ...suspendedQuery, enabled: isEnabled && seesPeople })
  return data ?? []
}

/** The buckets that are not empty, by urgency. */
export function attentionBuckets(
  summary: RiskSummary | undefined,
  suspended: readonly string[],
): readonly AttentionBucket[] {
  if (!summary) return []
  const { by_flag } = summary
  const flagged = (flag: 'review_overdue' | 'acceptance_expired') => ({
    title: label('riskFlag', flag),
    count: by_flag[flag],
    filter: { flag },
    includes: ({ flags }: Risk) => flags.includes(flag),
    action: 'review' as const,
    remedy: t('risk.review'),
  })
  const buckets: readonly AttentionBucket[] = [
    { key: 'overdue', ...flagged('review_overdue') },
    { key: 'expired', ...flagged('acceptance_expired') },
    {
      key: 'no-owner',
      title: t('word.no-owner'),
      count: ownedBy(summary, [null]),
      filter: { owner_user_id: 'none' },
      includes: ({ owner_user_id }) => owner_user_id === null,
      action: 'assign',
      remedy: t('risk.assign'),
    },
    {
      key: 'above',
      title: label('riskFlag', 'above_appetite'),
      count: summary.above_appetite_not_accepted,
      filter: aboveAppetite,
      includes: (risk) => risk.flags.includes('above_appetite') && !isAccepted(risk),
      action: 'treat',
      remedy: t('risk.treat'),
    },
    {
      key: 'suspended',
      title: t('attention.suspended'),
      count: suspended.length === 0 ? 0 : ownedBy(summary, suspended),
      filter: { owner_user_id: suspended.join(',') },
      includes: ({ owner_user_id }) => owner_user_id !== null && suspended.includes(owner_user_id),
      action: 'assign',
      remedy: t('risk.reassign'),
    },
  ]
  return buckets.filter(({ count }) => count !== 0)
}
