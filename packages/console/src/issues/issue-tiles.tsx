import type { IssueSummary } from '@muster/contract'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import type { Filters } from '#ui/filters.ts'
import { type Tile, Tiles } from '#ui/tiles.tsx'

const openStatuses = ['open', 'in_progress', 'blocked'] as const

interface Props {
  readonly summary: IssueSummary | undefined
  readonly filters: Filters
}

/** Counts by status, overdue issues and unassigned issues. */
export function IssueTiles({ summary, filters }: Props) {
  const unassigned = summary?.by_assignee.find((each) => each.assignee_user_id === null)
  const tiles: readonly Tile[] = [
    ...openStatuses.map((status) => ({
      filter: { status },
      name: label('issueStatus', status),
      count: summary?.by_status[status],
    })),
    {
      filter: { flag: 'overdue' },
      name: label('issueFlag', 'overdue'),
      count: summary?.by_flag.overdue,
      isWarning: true,
    },
    {
      filter: { assignee_user_id: 'none' },
      name: t('issues.unassigned'),
      count: summary && (unassigned?.count ?? 0),
      isWarning: true,
    },
  ]
  const cols = { base: 2, xs: 3, md: 5 }
  return <Tiles label={t('issues.tiles')} tiles={tiles} filters={filters} cols={cols} />
}
