import { type Selectable, sql } from 'kysely'

import { type DimensionCount, summaryCountsOf } from '#storage/derived/summary-counts'
import type { Read, RowWrite, Write } from '#storage/engine/access'
import { presentLinks } from '#storage/engine/evidence-links'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from '#storage/engine/id'
import type { DB } from '#storage/engine/tables'
import { aggregate } from '#storage/lists/aggregate'
import { type Condition, containsText, isAmong } from '#storage/lists/conditions'
import { fold } from '#storage/lists/fold'
import {
  leadingKeys,
  listedRows,
  type List,
  type ListQuery,
  type OrderColumn,
  personKeys,
} from '#storage/lists/index-ranges'
import { isOneOf } from '#storage/lists/keyset'

import type { InProject } from './projects.ts'

const columns = [
  'id',
  'ref',
  'project_id',
  'title',
  'description',
  'status',
  'assignee_user_id',
  'due_on',
  'due_key',
  'completed_at',
  'risk_id',
  'issue_id',
  'links',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['tasks'])[]

type Row = Pick<Selectable<DB['tasks']>, (typeof columns)[number]>
export type StoredTask = ReturnType<typeof presentTask>

function presentTask(row: Row) {
  return {
    id: encodeId('tsk', row.id),
    ref: row.ref,
    project_id: encodeId('prj', row.project_id),
    title: row.title,
    description: row.description,
    status: row.status,
    assignee_user_id: encodeOptional('usr', row.assignee_user_id),
    due_on: row.due_on,
    completed_at: row.completed_at,
    risk_id: encodeOptional('rsk', row.risk_id),
    issue_id: encodeOptional('iss', row.issue_id),
    links: presentLinks(row.links),
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export interface TasksFilter {
  readonly projectIds: readonly string[] | null
  /** `none` matches unassigned tasks. */
  readonly assigneeIds: readonly string[] | null
  readonly riskIds: readonly string[] | null
  readonly issueIds: readonly string[] | null
  /** Each status is one index range, so an unfiltered list names every status. */
  readonly statuses: readonly string[]
  readonly q: string | null
}

/** By due date, tasks without one last, then oldest first. */
const order: readonly OrderColumn[] = [
  { name: 'due_key', type: 'date' },
  { name: 'id', type: 'uuid' },
]

function tasksQuery(filter: TasksFilter): ListQuery {
  const uuids = {
    issue_id: filter.issueIds?.map(uuidOf) ?? null,
    risk_id: filter.riskIds?.map(uuidOf) ?? null,
    project_id: filter.projectIds?.map(uuidOf) ?? null,
    assignee_key: personKeys(filter.assigneeIds),
  }
  const given = Object.entries(uuids).map(([column, values]) => ({
    column,
    type: 'uuid' as const,
    values,
  }))
  const leading = leadingKeys(given)
  return {
    table: 'tasks',
    columns,
    order,
    keys: [...leading, { column: 'status', type: 'text', values: filter.statuses }],
    where: [
      ...Object.entries(uuids).map(([column, values]) => isAmong(column, values, 'uuid')),
      containsText(filter.q),
    ],
    search: leading.length > 0 ? null : filter.q,
  }
}

/** Tasks by due date. */
export const tasksList = (filter: TasksFilter): List<StoredTask> => ({
  query: tasksQuery(filter),
  present: presentTask,
})

interface OverdueFilter {
  readonly filter: TasksFilter
  /** Tasks that are due before this day are overdue. */
  readonly today: string
}

/** Counts the tasks that the filter leaves by status, project and the flag `overdue`. */
export const aggregateTasks = (read: Read, { filter, today }: OverdueFilter) =>
  aggregate(read, {
    query: tasksQuery(filter),
    dimensions: { status: sql`status`, project: sql`project_id::text` },
    flags: sql`case when due_key < ${today}::date then array['overdue'] else '{}'::text[] end
      as flags`,
  })

/**
 * Counts the overdue tasks with these statuses, of all projects or of some, by an index-only scan
 * of the overdue tasks. Other filters would need the rows.
 */
export async function countOverdueTasks(
  read: Read,
  { projectIds, statuses, today }: Pick<TasksFilter, 'projectIds' | 'statuses'> & { today: string },
): Promise<DimensionCount[]> {
  const filter = { ...noFilter, projectIds, statuses }
  const isOverdue: Condition = {
    name: 'overdue',
    value: today,
    test: (given) => sql`item.due_key < ${given}::date`,
  }
  const query = { ...tasksQuery(filter), columns: ['id'], where: [isOverdue] }
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count
    from (${listedRows(read, query)}) as counted`.execute(read.db)
  return [{ dimension: 'flag', value: 'overdue', count: rows[0]?.count ?? 0 }]
}

const noFilter = {
  projectIds: null,
  assigneeIds: null,
  riskIds: null,
  issueIds: null,
  q: null,
}

export async function selectTask(read: Read, { projectId, id }: InProject) {
  const row = await read.db
    .selectFrom('tasks')
    .select(columns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .where('project_id', '=', uuidOf(projectId))
    .executeTakeFirst()
  return row ? presentTask(row) : null
}

/** Locks the task until the write ends. */
export async function lockTask(write: Write, { projectId, id }: InProject) {
  const row = await write.db
    .selectFrom('tasks')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', uuidOf(id))
    .where('project_id', '=', uuidOf(projectId))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? presentTask(row) : null
}

/** Locks rows until the write ends, in id order to avoid deadlocks. */
const lockQuery = ({ db, workspaceId }: Write) =>
  db
    .selectFrom('tasks')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forNoKeyUpdate()

/** Locks at most `limit` open tasks of a project. */
export async function lockOpenTasks(write: Write, projectId: string, limit: number) {
  const rows = await lockQuery(write)
    .where('project_id', '=', uuidOf(projectId))
    .where('status', 'in', ['todo', 'in_progress', 'blocked'])
    .limit(limit)
    .execute()
  return rows.map(presentTask)
}

/** Locks those of the tasks that are open and assigned to this person. */
export async function lockTasksAssignedTo(
  write: Write,
  assigneeId: string,
  ids: readonly string[],
) {
  const rows = await lockQuery(write)
    .where(isOneOf('id', ids.map(uuidOf)))
    .where('assignee_user_id', '=', uuidOf(assigneeId))
    .where((eb) => eb.ref('is_open'))
    .execute()
  return rows.map(presentTask)
}

/** Writes a task, its summary counts and the counters. `before` is null for a new one. */
export function upsertTask(write: RowWrite, before: StoredTask | null, after: StoredTask): void {
  const { version: _, ref, created_at, ...rest } = after
  const row = {
    ...rest,
    id: uuidOf(after.id),
    search_text: fold(`${ref} ${after.title}`),
    project_id: uuidOf(after.project_id),
    assignee_user_id: uuidOfOptional(after.assignee_user_id),
    risk_id: uuidOfOptional(after.risk_id),
    issue_id: uuidOfOptional(after.issue_id),
  }
  if (before === null) write.insert('tasks', { ...row, ref, created_at })
  else write.update('tasks', row)
  write.addSummaryCounts(before === null ? [] : countsOf(before), -1)
  write.addSummaryCounts(countsOf(after), 1)
  write.count('open_tasks', Number(isOpen(after)) - Number(before !== null && isOpen(before)))
  write.touch('tasks')
}

const countsOf = (task: StoredTask) =>
  isOpen(task) ? summaryCountsOf('task', uuidOf(task.project_id), { status: task.status }) : []

const isOpen = ({ status }: StoredTask) => status !== 'done' && status !== 'cancelled'
