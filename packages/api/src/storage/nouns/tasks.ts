import { type FilterOf, type Operations, type Task, taskFields } from '@muster/contract'
import { sql } from 'kysely'

import { type DimensionCount, summaryCountsOf } from '#storage/derived/summary-counts'
import { aggregate } from '#storage/lists/aggregate'
import { type Condition, containsText } from '#storage/lists/conditions'
import type { DayBounds } from '#storage/lists/days'
import {
  conditionsOf,
  type FilterColumns,
  type GivenQuery,
  givenFilters,
} from '#storage/lists/filters'
import {
  leadingKeys,
  listedRows,
  type List,
  type ListQuery,
  type OrderColumn,
} from '#storage/lists/index-ranges'
import type { NameFilter } from '#storage/lists/rollup'
import { dayKey, numberKey, sortingOf, titleKey } from '#storage/lists/sort-keys'
import type { Read, RowWrite, Write } from '#storage/statements/access'
import { isOneOf } from '#storage/statements/keyset'
import { isWide, type OpenedItem, type OpenedProject } from '#storage/statements/view'
import { fold } from '#storage/values/fold'
import { uuidOf } from '#storage/values/id'

import { linksForm } from './links-form.ts'
import { storedFields } from './stored-fields.ts'

export type StoredTask = Task

const stored = storedFields<'tasks', StoredTask, 'search_text'>(taskFields, {
  also: ['due_key'],
  fixed: ['ref', 'created_at'],
  computed: ['version'],
  forms: { links: linksForm },
})

export const { columns: taskColumns, present: presentTask } = stored

const filters: FilterColumns<TaskFilter> = {
  ref: { column: 'ref', kind: 'text' },
  external_id: { column: 'external_id', kind: 'text' },
  issue_id: { column: 'issue_id', kind: 'id' },
  risk_id: { column: 'risk_id', kind: 'id' },
  project_id: { column: 'project_id', kind: 'id' },
  assignee_user_id: { column: 'assignee_key', kind: 'person' },
}

type DayFilter = 'due_from' | 'due_before'
type TaskFilter = Exclude<FilterOf<Operations['tasks']['list']>, 'status' | DayFilter | NameFilter>

export interface TasksFilter extends GivenQuery<TaskFilter> {
  /** Each status is one index range, so an unfiltered list names every status. */
  readonly statuses: readonly string[]
  readonly days?: DayBounds
  readonly q: string | null
}

/** By due date, tasks without one last, then oldest first. */
const order: readonly OrderColumn[] = [
  { name: 'due_key', type: 'date' },
  { name: 'id', type: 'uuid' },
]

function tasksQuery(filter: TasksFilter): ListQuery {
  const given = givenFilters(filters, filter)
  const leading = leadingKeys(given)
  const isOnly = filter.q === null && given.filter(({ values }) => values !== null).length === 1
  const isView = isOnly && isWide(filter.projects, filter.statuses.length)
  return {
    table: 'tasks',
    columns: taskColumns,
    order,
    ...(filter.days && rangesOf(filter.days)),
    keys: [...leading, { column: 'status', type: 'text', values: filter.statuses }],
    where: [...conditionsOf(given), containsText(filter.q)],
    search: leading.length > 0 ? null : filter.q,
    ...(isView && { where: [], isIdsFirst: true }),
  }
}

/** Tasks without a due date are outside every bound. */
function rangesOf({ from = '-infinity', before }: DayBounds): Pick<ListQuery, 'ranges'> {
  if (from === '-infinity' && before === undefined) return {}
  return { ranges: [{ low: from, high: before === undefined ? '9999-12-31' : dayBefore(before) }] }
}

/** The first day of the calendar has no day before it. */
function dayBefore(day: string): string {
  if (day === '0001-01-01') return '-infinity'
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}

const sorts = {
  title: titleKey('tasks'),
  assignee: { person: 'assignee_key' },
  due_on: dayKey('due_on'),
  updated_at: numberKey('version'),
}

/** Tasks by due date, unless `sort` is set. */
export function tasksList(filter: TasksFilter, sort?: string): List<StoredTask> {
  const query = tasksQuery(filter)
  const sorting = sortingOf(sorts, sort)
  if (sorting === undefined) return { query, present: presentTask }
  // Without a filter there is no condition, so that an index-only scan gives the keys.
  const sorted = query.keys.length > 1 ? query : { ...query, where: [] }
  return { query: sorted, countQuery: query, present: presentTask, sorting }
}

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
  { today, ...rest }: Omit<TasksFilter, 'q'> & { today: string },
): Promise<DimensionCount[]> {
  const filter = { ...rest, q: null }
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

export async function selectTask(read: Read, { project, id }: OpenedItem) {
  const row = await read.db
    .selectFrom('tasks')
    .select(taskColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .where('project_id', '=', project.uuid)
    .executeTakeFirst()
  return row ? presentTask(row) : null
}

/** Locks rows until the write ends, in id order to avoid deadlocks. */
const lockQuery = ({ db, workspaceId }: Read) =>
  db
    .selectFrom('tasks')
    .select(taskColumns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forNoKeyUpdate()

/** Locks tasks of these projects by id. */
export async function lockTasks(
  write: Write,
  projects: readonly OpenedProject<'manage'>[],
  ids: readonly string[],
) {
  const rows = await lockQuery(write)
    .where(
      isOneOf(
        'project_id',
        projects.map(({ uuid }) => uuid),
      ),
    )
    .where(isOneOf('id', ids.map(uuidOf)))
    .execute()
  return rows.map(presentTask)
}

/** Locks the tasks with these UUIDs. */
export async function lockTasksByUuid(read: Read, uuids: readonly string[]): Promise<StoredTask[]> {
  const rows = await lockQuery(read).where(isOneOf('id', uuids)).execute()
  return rows.map(presentTask)
}

/** Locks at most `limit` open tasks of a project. */
export async function lockOpenTasks(write: Write, project: OpenedProject<'manage'>, limit: number) {
  const rows = await lockQuery(write)
    .where('project_id', '=', project.uuid)
    .where('status', 'in', ['todo', 'in_progress', 'blocked'])
    .limit(limit)
    .execute()
  return rows.map(presentTask)
}

/** Locks those of the tasks that are open and assigned to this person. */
export async function lockTasksAssignedTo(read: Read, assigneeId: string, ids: readonly string[]) {
  const rows = await lockQuery(read)
    .where(isOneOf('id', ids.map(uuidOf)))
    .where('assignee_user_id', '=', uuidOf(assigneeId))
    .where((eb) => eb.ref('is_open'))
    .execute()
  return rows.map(presentTask).filter(({ project_id }) => read.view.shows(project_id))
}

/** The history has metadata in every state. Tasks have none. */
export const withoutMetadata = (task: StoredTask) => ({ ...task, metadata: {} })

/**
 * Writes a task, its summary counts, the counters and the history. `before` is null for a new one.
 */
export function upsertTask(write: RowWrite, before: StoredTask | null, after: StoredTask): void {
  const keys = { search_text: fold(`${after.ref} ${after.title}`) }
  if (before === null) write.insert('tasks', stored.newRow(after, keys))
  else write.update('tasks', stored.changedRow(after, keys))
  write.addSummaryCounts(before === null ? [] : countsOf(before), -1)
  write.addSummaryCounts(countsOf(after), 1)
  write.count('open_tasks', Number(isOpen(after)) - Number(before !== null && isOpen(before)))
  write.touch('tasks')
  const state = { before: before && withoutMetadata(before), after: withoutMetadata(after) }
  write.keep({ noun: 'task', ...state })
}

const countsOf = (task: StoredTask) =>
  isOpen(task) ? summaryCountsOf('task', uuidOf(task.project_id), { status: task.status }) : []

const isOpen = ({ status }: StoredTask) => status !== 'done' && status !== 'cancelled'
