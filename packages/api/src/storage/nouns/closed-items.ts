import type { FilterOf, Operations } from '@muster/contract'

import type { Rollup } from '#storage/lists/rollup'

import { issueColumns, presentIssue, type StoredIssue } from './issues.ts'
import { presentRisk, riskColumns, type StoredRisk } from './risks.ts'

/** The occurred and closed risks of all projects, the latest first. */
export const closedRisks: Rollup<StoredRisk, FilterOf<Operations['risks']['list_closed']>> = {
  table: 'risks',
  columns: [...riskColumns, 'closed_key'],
  present: presentRisk,
  order: [
    { name: 'closed_key', type: 'timestamptz' },
    { name: 'id', type: 'uuid' },
  ],
  isDescending: true,
  except: 'is_live',
  filters: {
    external_id: { column: 'external_id', kind: 'text' },
    project_id: { column: 'project_id', kind: 'id' },
    owner_user_id: { column: 'owner_key', kind: 'person' },
    status: { column: 'status', kind: 'text' },
  },
}

/** The closed issues of all projects, the latest first. */
export const closedIssues: Rollup<StoredIssue, FilterOf<Operations['issues']['list_closed']>> = {
  table: 'issues',
  columns: issueColumns,
  present: presentIssue,
  order: [
    { name: 'closed_at', type: 'timestamptz' },
    { name: 'id', type: 'uuid' },
  ],
  isDescending: true,
  except: 'is_open',
  filters: {
    external_id: { column: 'external_id', kind: 'text' },
    project_id: { column: 'project_id', kind: 'id' },
    assignee_user_id: { column: 'assignee_key', kind: 'person' },
  },
}
