import { sql } from 'kysely'

import type { SummarizedRollup } from '#storage/lists/rollup'

import { issueColumns, presentIssue, type StoredIssue } from './issues.ts'

type OpenIssuesFilterName = 'id' | 'project_id' | 'assignee_user_id' | 'tag' | 'flag' | 'status'

/** The open issues of all projects by severity, then age. */
export const openIssues: SummarizedRollup<StoredIssue, OpenIssuesFilterName> = {
  table: 'issues',
  columns: issueColumns,
  present: presentIssue,
  order: [
    { name: 'severity_key', type: 'smallint' },
    { name: 'opened_at', type: 'timestamptz' },
    { name: 'id', type: 'uuid' },
  ],
  only: 'is_open',
  indexRows: 'issue_index_rows',
  filters: {
    id: { column: 'id', kind: 'id' },
    project_id: { column: 'project_id', kind: 'id' },
    assignee_user_id: { column: 'assignee_key', kind: 'person' },
    tag: { column: 'tags', kind: 'label' },
    flag: { column: 'flags', kind: 'label' },
    status: { column: 'status', kind: 'text' },
  },
  dimensions: {
    cell: sql`severity || to_char(opened_at at time zone 'UTC', ' YYYY-MM')`,
    status: sql`status`,
    assignee: sql`coalesce(assignee_user_id::text, 'none')`,
    project: sql`project_id::text`,
  },
}
