import type { Level, RiskSummary } from '@muster/contract'

import type { Search } from '#data/search.ts'
import type { ListGroup } from '#kit/list/grouped-list.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import type { AttentionBucket } from './attention.ts'
import { type ListedRisk, riskPages } from './queries.ts'
import { isComplete } from './risk-views.ts'

export const riskGroupings = [
  { value: 'project', label: t('word.project') },
  { value: 'owner', label: t('word.owner') },
  { value: 'level', label: t('risks.level') },
  { value: 'status', label: t('word.status') },
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
        name: id === null ? t('word.no-owner') : (names.get(id) ?? t('actor.name.person')),
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
  if (counted === undefined) return null
  return {
    groups: counted
      .filter(({ count }) => count !== 0)
      .map(({ name, count, filter }): ListGroup<ListedRisk> => ({
        key: Object.values(filter).join(),
        name,
        count,
        pages: riskPages(false, { ...query, ...filter }, seesPeople),
      })),
    note: groupNote(by, summary),
  }
}

/** The summary names the 50 largest projects and owners only. */
function groupNote(by: Options['by'], summary: RiskSummary | undefined) {
  const counts =
    by === 'project' ? summary?.by_project : by === 'owner' ? summary?.by_owner : undefined
  return summary && counts && !isComplete(summary, counts) ? t('risks.group.more') : null
}
