import type { FilterOf, Operations } from '@muster/contract'
import { sql } from 'kysely'

import type { NameFilter, SummarizedRollup } from '#storage/lists/rollup'
import { dayKey, instantKey, numberKey, titleKey } from '#storage/lists/sort-keys'

import { issueColumns, presentIssue, type StoredIssue } from './issues.ts'

/** Filters of the severity and the day narrow the range of the order instead. */
type RangeFilter = 'severity' | 'opened_from' | 'opened_before'
type DayFilter = 'due_from' | 'due_before'
type OpenIssuesFilterName = Exclude<
  FilterOf<Operations['issues']['list']>,
  RangeFilter | DayFilter | NameFilter
>

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
    ref: { column: 'ref', kind: 'text' },
    external_id: { column: 'external_id', kind: 'text' },
    risk_id: { column: 'risk_id', kind: 'id' },
    project_id: { column: 'project_id', kind: 'id' },
    assignee_user_id: { column: 'assignee_key', kind: 'person' },
    tag: { column: 'tags', kind: 'label' },
    flag: { column: 'flags', kind: 'label' },
    status: { column: 'status', kind: 'text' },
  },
  sorts: {
    severity: numberKey('severity'),
    title: titleKey('issues'),
    assignee: { person: 'assignee_key' },
    opened_at: instantKey('opened_at'),
    due_on: dayKey('due_on'),
    updated_at: numberKey('version'),
  },
  day: { column: 'due_on', isOfOrder: false },
  dimensions: {
    cell: sql`severity || to_char(opened_at at time zone 'UTC', ' YYYY-MM')`,
    status: sql`status`,
    assignee: sql`coalesce(assignee_user_id::text, 'none')`,
    project: sql`project_id::text`,
  },
}
