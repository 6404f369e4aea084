import type { IssueSummary } from '@muster/contract'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import type { Filters } from '#ui/filters.ts'
import { type Tile, Tiles } from '#ui/tiles.tsx'

const open = ['open', 'in_progress', 'blocked'] as const

interface Props {
  readonly summary: IssueSummary | undefined
  readonly filters: Filters
}

/** Where the open issues are in their life, and what is wrong with them. */
export function IssueTiles({ summary, filters }: Props) {
  const unassigned = summary?.by_assignee.find((each) => each.assignee_user_id === null)
  const tiles: readonly Tile[] = [
    ...open.map((status) => ({
      filter: { status },
      name: label('issueStatus', status),
      count: summary?.by_status[status],
    })),
    {
      filter: { flag: 'overdue' },
      name: label('issueFlag', 'overdue'),
      count: summary?.by_flag.overdue,
      isCare: true,
    },
    {
      filter: { assignee_user_id: 'none' },
      name: t('issues.unassigned'),
      count: summary && (unassigned?.count ?? 0),
      isCare: true,
    },
  ]
  const cols = { base: 2, xs: 3, md: 5 }
  return <Tiles label={t('issues.tiles')} tiles={tiles} filters={filters} cols={cols} />
}
