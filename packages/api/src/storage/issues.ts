import { type Selectable, sql } from 'kysely'

import type { Read, Write } from './database.ts'
import { fold } from './fold.ts'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from './id.ts'
import {
  contains,
  countRows,
  found,
  isOneOf,
  type Lane,
  laneColumn,
  lanesOf,
  nil,
  type Page,
  type Range,
  rowsFor,
} from './keyset.ts'
import type { DB } from './tables.ts'

export interface OpenIssuesFilter {
  readonly projectIds: readonly string[] | null
  /** Null among the assignees is nobody. */
  readonly assigneeIds: readonly (string | null)[] | null
  /** The stretches of `severity_key` that are asked for. */
  readonly severities: readonly Range[]
  readonly q: string | null
}

const columns = [
  'id',
  'ref',
  'project_id',
  'title',
  'description',
  'type',
  'status',
  'severity',
  'severity_key',
  'assignee_user_id',
  'risk_id',
  'opened_at',
  'due_on',
  'blocked_reason',
  'close_reason',
  'close_note',
  'closed_at',
  'reopened_count',
  'flags',
  'tags',
  'metadata',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['issues'])[]

/** Worst first, then longest open. */
const rank = ['severity_key', 'opened_at', 'id'] as const

/** The open issues of all projects that the filter leaves, worst first. */
export async function selectOpenIssues(read: Read, filter: OpenIssuesFilter, page: Page) {
  const rows = await openIssues(read, filter, page)
    .select(columns.map((column) => `issue.${column}` as const))
    .execute()
  return found(rows, { limit: page.limit, columns: rank, present: presentIssue })
}

/** How many there are, counted no further than `max` + 1. */
export function countOpenIssues(read: Read, filter: OpenIssuesFilter, max: number) {
  return countRows(read, openIssues(read, filter, { after: null, limit: max }).select('issue.id'))
}

function openIssues(read: Read, filter: OpenIssuesFilter, page: Page) {
  const { projectIds, assigneeIds, severities: ranges, q } = filter
  const projects = projectIds?.map(uuidOf) ?? null
  const assignees = assigneeIds?.map((id) => uuidOfOptional(id) ?? nil) ?? null
  const lanes = lanesOf(projects ?? assignees ?? [null], {
    ranges,
    after: page.after,
    origin: ['-infinity', nil],
  })
  const isKey = projects
    ? sql<boolean>`project_id = lane.key`
    : sql<boolean>`assignee_key = lane.key`
  return read.db
    .selectFrom(lanesTable(lanes))
    .innerJoinLateral(
      (lane) =>
        lane
          .selectFrom('issues')
          .select(columns.map((column) => `issues.${column}` as const))
          .where('workspace_id', '=', read.workspaceId)
          .where((eb) => eb.ref('is_open'))
          .where(sql<boolean>`(severity_key, opened_at, issues.id) > (lane.rank, lane.at, lane.id)`)
          .whereRef('severity_key', '<=', 'lane.high')
          .$if(projects !== null || assignees !== null, (query) => query.where(isKey))
          .$if(projects !== null && assignees !== null, (query) =>
            query.where(isOneOf('assignee_key', assignees ?? [])),
          )
          .$if(q !== null, (query) => query.where(contains(q ?? '')))
          .orderBy('severity_key')
          .orderBy('opened_at')
          .orderBy('issues.id')
          .limit(rowsFor(page))
          .as('issue'),
      (join) => join.onTrue(),
    )
    .orderBy('issue.severity_key')
    .orderBy('issue.opened_at')
    .orderBy('issue.id')
    .limit(rowsFor(page))
}

function lanesTable(lanes: readonly Lane[]) {
  const keys = lanes.map(({ key }) => key)
  const highs = lanes.map(({ high }) => high)
  const [ranks, times, ids] = [0, 1, 2].map((index) => laneColumn(lanes, index))
  return sql<{ key: string; rank: number; at: string; id: string; high: number }>`unnest(
    ${keys}::uuid[], ${ranks}::smallint[], ${times}::timestamptz[], ${ids}::uuid[],
    ${highs}::smallint[]
  )`.as<'lane'>(sql`lane(key, rank, at, id, high)`)
}

type Row = Pick<Selectable<DB['issues']>, (typeof columns)[number]>
export type StoredIssue = ReturnType<typeof presentIssue>

function presentIssue(row: Row) {
  return {
    id: encodeId('iss', row.id),
    ref: row.ref,
    project_id: encodeId('prj', row.project_id),
    title: row.title,
    description: row.description,
    type: row.type,
    status: row.status,
    severity: row.severity,
    assignee_user_id: encodeOptional('usr', row.assignee_user_id),
    risk_id: encodeOptional('rsk', row.risk_id),
    opened_at: row.opened_at,
    due_on: row.due_on,
    blocked_reason: row.blocked_reason,
    close_reason: row.close_reason,
    close_note: row.close_note,
    closed_at: row.closed_at,
    reopened_count: row.reopened_count,
    flags: row.flags,
    tags: row.tags,
    metadata: row.metadata,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** The issue as it is now, held until the write ends. */
export async function lockIssue(write: Write, id: string): Promise<StoredIssue | null> {
  const row = await write.db
    .selectFrom('issues')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', uuidOf(id))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? presentIssue(row) : null
}

export function insertIssue(write: Write, issue: StoredIssue): void {
  write.add(
    write.db.insertInto('issues').values({
      workspace_id: write.workspaceId,
      id: uuidOf(issue.id),
      project_id: uuidOf(issue.project_id),
      ref: issue.ref,
      opened_at: issue.opened_at,
      created_at: issue.created_at,
      ...changing(write, issue),
    }),
  )
  consequences(write, issue, { isNew: true })
}

export function updateIssue(write: Write, issue: StoredIssue): void {
  write.add(
    write.db
      .updateTable('issues')
      .set(changing(write, issue))
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(issue.id)),
  )
  consequences(write, issue, { isNew: false })
}

function consequences(write: Write, issue: StoredIssue, { isNew }: { isNew: boolean }): void {
  write.touch('issues')
  write.keep({ noun: 'issue', id: issue.id, data: issue, isNew })
}

/** Everything of an issue that a write can change. */
function changing(write: Write, issue: StoredIssue) {
  return {
    title: issue.title,
    search_text: fold(`${issue.ref} ${issue.title}`),
    description: issue.description,
    type: issue.type,
    status: issue.status,
    severity: issue.severity,
    assignee_user_id: uuidOfOptional(issue.assignee_user_id),
    risk_id: uuidOfOptional(issue.risk_id),
    due_on: issue.due_on,
    blocked_reason: issue.blocked_reason,
    close_reason: issue.close_reason,
    close_note: issue.close_note,
    closed_at: issue.closed_at,
    reopened_count: issue.reopened_count,
    flags: issue.flags,
    tags: issue.tags,
    metadata: issue.metadata,
    version: write.version,
    updated_at: issue.updated_at,
  }
}
