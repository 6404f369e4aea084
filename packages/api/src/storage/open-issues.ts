import { type RawBuilder, sql } from 'kysely'

import { aggregate } from './aggregate.ts'
import type { Read } from './database.ts'
import { uuidOf } from './id.ts'
import { issueColumns, presentIssue } from './issues.ts'
import type { Page } from './keyset.ts'
import {
  containsText,
  countLanes,
  isAmong,
  key,
  type LaneQuery,
  leading,
  type OrderColumn,
  overlaps,
  personKeys,
  type Range,
  selectLanes,
} from './lanes.ts'
import type { Counted } from './tallies.ts'

/** What the open issues are narrowed to; null where nothing was asked. */
export interface OpenIssuesFilter {
  readonly ids: readonly string[] | null
  readonly projectIds: readonly string[] | null
  /** `none` among the assignees is nobody. */
  readonly assigneeIds: readonly string[] | null
  readonly statuses: readonly string[] | null
  readonly flags: readonly string[] | null
  readonly tags: readonly string[] | null
  /** The stretches of `severity_key` that are asked for, and within them of `opened_at`. */
  readonly ranks: readonly Range[]
  readonly q: string | null
}

/** Worst first, then longest open. */
const rank: readonly OrderColumn[] = [
  { name: 'severity_key', type: 'smallint' },
  { name: 'opened_at', type: 'timestamptz' },
  { name: 'id', type: 'uuid' },
]

/** The open issues of all projects that the filter leaves, worst first. */
export function selectOpenIssues(read: Read, filter: OpenIssuesFilter, page: Page) {
  return selectLanes(read, openQuery(filter), { page, present: presentIssue })
}

/** How many there are, counted no further than `max` + 1. */
export function countOpenIssues(read: Read, filter: OpenIssuesFilter, max: number) {
  return countLanes(read, openQuery(filter), max)
}

/** One of the filters leads to the rows by its index; the others are tests on the way. */
function openQuery(filter: OpenIssuesFilter): LaneQuery {
  const led = leading('issue_marks', [
    key('id', 'uuid', filter.ids?.map(uuidOf) ?? null),
    key('project_id', 'uuid', filter.projectIds?.map(uuidOf) ?? null),
    key('assignee_key', 'uuid', personKeys(filter.assigneeIds)),
    key('tag', 'mark', filter.tags),
    key('flag', 'mark', filter.flags),
    key('status', 'text', filter.statuses),
  ])
  return {
    table: 'issues',
    columns: issueColumns,
    order: rank,
    ranges: filter.ranks,
    only: 'is_open',
    where: tests(filter),
    search: led.keys.length === 0 ? filter.q : null,
    ...led,
  }
}

function tests(filter: OpenIssuesFilter): RawBuilder<unknown>[] {
  return [
    isAmong('id', filter.ids?.map(uuidOf) ?? null, 'uuid'),
    isAmong('project_id', filter.projectIds?.map(uuidOf) ?? null, 'uuid'),
    isAmong('assignee_key', personKeys(filter.assigneeIds), 'uuid'),
    isAmong('status', filter.statuses, 'text'),
    overlaps('flags', filter.flags),
    overlaps('tags', filter.tags),
    containsText(filter.q),
  ]
}

/** The open issues in numbers, under the names that issues are counted by as they are written. */
export function aggregateOpenIssues(read: Read, filter: OpenIssuesFilter): Promise<Counted[]> {
  return aggregate(read, {
    query: openQuery(filter),
    dimensions: {
      cell: sql`severity || to_char(opened_at at time zone 'UTC', ' YYYY-MM')`,
      status: sql`status`,
      assignee: sql`coalesce(assignee_user_id::text, 'none')`,
      project: sql`project_id::text`,
    },
  })
}
