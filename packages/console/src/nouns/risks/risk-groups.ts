import type { Level, RegisterEntry, RiskSummary } from '@muster/contract'

import type { Search } from '#data/search.ts'
import type { ListGroup } from '#kit/list/grouped-list.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import type { AttentionBucket } from './attention.ts'
import { registerPages } from './queries.ts'

export const riskGroupings = [
  { value: 'project', label: t('risks.project') },
  { value: 'owner', label: t('risks.owner') },
  { value: 'level', label: t('risks.level') },
  { value: 'status', label: t('risks.status') },
]

const worstFirst: readonly Level[] = ['critical', 'high', 'medium', 'low']

interface Counted {
  readonly name: string
  readonly count: number | null
  /** The filter of the group. */
  readonly filter: Search
}

interface Options {
  /** The grouping, or the buckets of what needs attention. */
  readonly by: string | readonly AttentionBucket[]
  readonly summary: RiskSummary | undefined
  /** The filters of the page. */
  readonly query: Search
  readonly seesPeople: boolean
}

/** The groups of the live risks, from the counts of the summary; null without grouping. */
export function useRiskGroups({ by, summary, query, seesPeople }: Options) {
  const owners = by === 'owner' ? (summary?.by_owner ?? []) : []
  const names = usePersonNames(owners.map(({ owner_user_id }) => owner_user_id))
  const groupings: Readonly<Record<string, () => readonly Counted[]>> = {
    project: () =>
      (summary?.by_project ?? []).map(({ project, count }) => ({
        name: project.name,
        count,
        filter: { project_id: project.id },
      })),
    owner: () =>
      owners.map(({ owner_user_id: id, count }) => ({
        name: id === null ? t('risks.no-owner') : (names.get(id) ?? t('actor.name.person')),
        count,
        filter: { owner_user_id: id ?? 'none' },
      })),
    level: () =>
      worstFirst.map((level) => ({
        name: label('level', level),
        count: summary?.by_level[level] ?? null,
        filter: { level },
      })),
    status: () =>
      Object.entries(summary?.by_status ?? {}).map(([status, count]) => ({
        name: label('riskStatus', status),
        count,
        filter: { status },
      })),
  }
  const counted =
    typeof by === 'string'
      ? groupings[by]?.()
      : by.map(({ title, count, filter }) => ({ name: title, count, filter }))
  return (
    counted
      ?.filter(({ count }) => count !== 0)
      .map(({ name, count, filter }): ListGroup<RegisterEntry> => ({
        key: Object.values(filter).join(),
        name,
        count,
        pages: registerPages({ ...query, ...filter }, seesPeople),
      })) ?? null
  )
}
