import type { Selectable } from 'kysely'

import type { Read, Write } from './database.ts'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from './id.ts'
import { isOneOf, type Page } from './keyset.ts'
import {
  countLanes,
  isAmong,
  key,
  type LaneQuery,
  leading,
  type OrderColumn,
  personKeys,
  selectLanes,
} from './lanes.ts'
import type { InProject } from './projects.ts'
import type { DB } from './tables.ts'

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
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export interface TasksFilter {
  readonly projectIds: readonly string[] | null
  /** `none` among the assignees is nobody. */
  readonly assigneeIds: readonly string[] | null
  readonly riskIds: readonly string[] | null
  readonly issueIds: readonly string[] | null
  /** Every status is one lane, so all are named. */
  readonly statuses: readonly string[]
}

/** What is due first, first; what is due at no time, last; then oldest first. */
const order: readonly OrderColumn[] = [
  { name: 'due_key', type: 'date' },
  { name: 'id', type: 'uuid' },
]

function tasksQuery(filter: TasksFilter): LaneQuery {
  const uuids = {
    issue_id: filter.issueIds?.map(uuidOf) ?? null,
    risk_id: filter.riskIds?.map(uuidOf) ?? null,
    project_id: filter.projectIds?.map(uuidOf) ?? null,
    assignee_key: personKeys(filter.assigneeIds),
  }
  const { keys } = leading(
    'tasks',
    Object.entries(uuids).map(([column, values]) => key(column, 'uuid', values)),
  )
  return {
    table: 'tasks',
    columns,
    order,
    keys: [...keys, { column: 'status', type: 'text', values: filter.statuses }],
    where: Object.entries(uuids).map(([column, values]) => isAmong(column, values, 'uuid')),
  }
}

export function selectTasks(read: Read, filter: TasksFilter, page: Page) {
  return selectLanes(read, tasksQuery(filter), { page, present: presentTask })
}

export function countTasks(read: Read, filter: TasksFilter, max: number) {
  return countLanes(read, tasksQuery(filter), max)
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

/** The task as it is now, held until the write ends. */
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

/** Held until the write ends, each in its turn. */
const locked = ({ db, workspaceId }: Write) =>
  db
    .selectFrom('tasks')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forNoKeyUpdate()

/** The open tasks of a project, at most `limit`. */
export async function lockOpenTasks(write: Write, projectId: string, limit: number) {
  const rows = await locked(write)
    .where('project_id', '=', uuidOf(projectId))
    .where('status', 'in', ['todo', 'in_progress', 'blocked'])
    .limit(limit)
    .execute()
  return rows.map(presentTask)
}

/** Of these tasks those that are open and in these hands. */
export async function lockTasksOf(write: Write, assigneeId: string, ids: readonly string[]) {
  const rows = await locked(write)
    .where(isOneOf('id', ids.map(uuidOf)))
    .where('assignee_user_id', '=', uuidOf(assigneeId))
    .where((eb) => eb.ref('is_open'))
    .execute()
  return rows.map(presentTask)
}

/** Writes a task and moves the numbers that follow from it. `before` is null for a new one. */
export function storeTask(write: Write, before: StoredTask | null, after: StoredTask): void {
  const { version: _, ref, created_at, ...rest } = after
  const row = {
    ...rest,
    id: uuidOf(after.id),
    project_id: uuidOf(after.project_id),
    assignee_user_id: uuidOfOptional(after.assignee_user_id),
    risk_id: uuidOfOptional(after.risk_id),
    issue_id: uuidOfOptional(after.issue_id),
  }
  if (before === null) write.insert('tasks', { ...row, ref, created_at })
  else write.update('tasks', row)
  write.count('open_tasks', Number(isOpen(after)) - Number(before !== null && isOpen(before)))
  write.touch('tasks')
}

const isOpen = ({ status }: StoredTask) => status !== 'done' && status !== 'cancelled'
