import type { FilterOf, ListOperation, Operations } from '@muster/contract'

import type { NameFilter, Rollup } from '#storage/lists/rollup'

import { issueColumns, presentIssue, type StoredIssue } from './issues.ts'
import { presentRisk, riskColumns, type StoredRisk } from './risks.ts'

type DayFilter = 'closed_from' | 'closed_before'
type ClosedFilter<O extends ListOperation> = Exclude<FilterOf<O>, DayFilter | NameFilter>
type ClosedRiskFilter = ClosedFilter<Operations['risks']['list_closed']>
type ClosedIssueFilter = ClosedFilter<Operations['issues']['list_closed']>

/** The occurred and closed risks of all projects, the latest first. */
export const closedRisks: Rollup<StoredRisk, ClosedRiskFilter> = {
  table: 'risks',
  columns: [...riskColumns, 'closed_key'],
  present: presentRisk,
  order: [
    { name: 'closed_key', type: 'timestamptz' },
    { name: 'id', type: 'uuid' },
  ],
  isDescending: true,
  except: 'is_live',
  day: { column: 'closed_key', isOfOrder: true },
  filters: {
    ref: { column: 'ref', kind: 'text' },
    external_id: { column: 'external_id', kind: 'text' },
    project_id: { column: 'project_id', kind: 'id' },
    owner_user_id: { column: 'owner_key', kind: 'person' },
    status: { column: 'status', kind: 'text' },
  },
}

/** The closed issues of all projects, the latest first. */
export const closedIssues: Rollup<StoredIssue, ClosedIssueFilter> = {
  table: 'issues',
  columns: issueColumns,
  present: presentIssue,
  order: [
    { name: 'closed_at', type: 'timestamptz' },
    { name: 'id', type: 'uuid' },
  ],
  isDescending: true,
  except: 'is_open',
  day: { column: 'closed_at', isOfOrder: true },
  filters: {
    ref: { column: 'ref', kind: 'text' },
    external_id: { column: 'external_id', kind: 'text' },
    project_id: { column: 'project_id', kind: 'id' },
    assignee_user_id: { column: 'assignee_key', kind: 'person' },
  },
}
