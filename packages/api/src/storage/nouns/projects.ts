import type { Selectable } from 'kysely'

import type { Read, RowWrite, Write } from '#storage/engine/access'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from '#storage/engine/id'
import type { DB } from '#storage/engine/tables'
import { containsText, isAmong } from '#storage/lists/conditions'
import { anyOrder, type DirectoryOrder, sortedBy } from '#storage/lists/directory'
import { fold, sortName } from '#storage/lists/fold'
import { leadingKeys, type List, type ListQuery } from '#storage/lists/index-ranges'
import { isOneOf, nil } from '#storage/lists/keyset'

/** Path of a risk, an issue or a task. It is not found under the id of another project. */
export interface InProject {
  readonly projectId: string
  readonly id: string
}

const columns = [
  'id',
  'code',
  'name',
  'sort_name',
  'description',
  'status',
  'health',
  'health_note',
  'health_set_at',
  'owner_user_id',
  'starts_on',
  'due_on',
  'risk_appetite',
  'metadata',
  'risk_number',
  'issue_number',
  'task_number',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['projects'])[]

type Row = Pick<Selectable<DB['projects']>, (typeof columns)[number]>
export type StoredProject = ReturnType<typeof presentProject>

function presentProject(row: Row) {
  return {
    id: encodeId('prj', row.id),
    code: row.code,
    name: row.name,
    description: row.description,
    status: row.status,
    health: row.health,
    health_note: row.health_note,
    health_set_at: row.health_set_at,
    owner_user_id: encodeOptional('usr', row.owner_user_id),
    starts_on: row.starts_on,
    due_on: row.due_on,
    risk_appetite: row.risk_appetite,
    metadata: row.metadata,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export interface ProjectsFilter {
  readonly statuses: readonly string[]
  readonly ids: readonly string[] | null
  readonly ownerIds: readonly string[] | null
  readonly q: string | null
}

function projectsQuery(filter: ProjectsFilter, order: DirectoryOrder): ListQuery {
  return {
    table: 'projects',
    columns,
    ...sortedBy(order),
    keys: leadingKeys([
      { column: 'id', type: 'uuid', values: filter.ids?.map(uuidOf) ?? null },
      { column: 'owner_user_id', type: 'uuid', values: filter.ownerIds?.map(uuidOf) ?? null },
      { column: 'status', type: 'text', values: filter.statuses },
    ]),
    search: filter.ids === null && filter.ownerIds === null ? filter.q : null,
    where: [isAmong('status', filter.statuses, 'text'), containsText(filter.q)],
  }
}

export const projectsList = (
  filter: ProjectsFilter,
  order: DirectoryOrder,
): List<StoredProject> => ({
  query: projectsQuery(filter, order),
  countQuery: projectsQuery(filter, anyOrder),
  present: presentProject,
})

export async function selectProject(read: Read, id: string): Promise<StoredProject | null> {
  const row = await read.db
    .selectFrom('projects')
    .select(columns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row ? presentProject(row) : null
}

export interface NamedProject {
  readonly id: string
  readonly code: string
  readonly name: string
}

/** One page of project names, by an index-only scan. */
export async function selectProjectNames(
  read: Read,
  after: string | null,
  limit: number,
): Promise<NamedProject[]> {
  const rows = await read.db
    .selectFrom('projects')
    .select(['id', 'code', 'name'])
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '>', after === null ? nil : uuidOf(after))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, code, name }) => ({ id: encodeId('prj', id), code, name }))
}

export async function selectProjectByCode(read: Read, code: string): Promise<string | null> {
  const row = await read.db
    .selectFrom('projects')
    .select('id')
    .where('workspace_id', '=', read.workspaceId)
    .where('code', '=', code)
    .executeTakeFirst()
  return row ? encodeId('prj', row.id) : null
}

/** The last reference numbers that a project has assigned. */
export interface ReferenceNumbers {
  readonly risk_number: number
  readonly issue_number: number
  readonly task_number: number
}

export interface LockedProject extends ReferenceNumbers {
  readonly project: StoredProject
}

const presentLockedProject = (row: Row): LockedProject => ({
  project: presentProject(row),
  risk_number: row.risk_number,
  issue_number: row.issue_number,
  task_number: row.task_number,
})

/** Takes a share lock: the project cannot change until the write ends. */
export async function shareLockProject(write: Write, id: string): Promise<LockedProject | null> {
  const row = await write.db
    .selectFrom('projects')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', uuidOf(id))
    .forShare()
    .executeTakeFirst()
  return row ? presentLockedProject(row) : null
}

/** Takes exclusive row locks until the write ends, in id order to avoid deadlocks. */
export async function lockProjects(write: Write, ids: readonly string[]): Promise<LockedProject[]> {
  const rows = await write.db
    .selectFrom('projects')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where(isOneOf('id', ids.map(uuidOf)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(presentLockedProject)
}

/** Reference numbers are never reused. Updating them does not change the version. */
export function updateReferenceNumbers(
  write: Write,
  id: string,
  numbers: Partial<ReferenceNumbers>,
): void {
  write.add(
    write.db
      .updateTable('projects')
      .set(numbers)
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(id)),
  )
}

/**
 * Writes a project, its history and the counters. The roll-ups show its name, so a new name also
 * changes their sequence numbers. `before` is null for a new one.
 */
export function upsertProject(
  write: RowWrite,
  before: StoredProject | null,
  after: StoredProject,
): void {
  const { version: _, created_at, code, ...rest } = after
  const row = {
    ...rest,
    id: uuidOf(after.id),
    owner_user_id: uuidOfOptional(after.owner_user_id),
    sort_name: sortName(after.name),
    search_text: fold(`${code} ${after.name}`),
  }
  if (before === null) write.insert('projects', { ...row, ...initialNumbers, code, created_at })
  else write.update('projects', row)
  const isCurrent = Number(after.status !== 'archived')
  write.count('projects', isCurrent - Number(before !== null && before.status !== 'archived'))
  write.touch('projects')
  if (before !== null && before.name !== after.name) write.touch('risks', 'issues')
  write.keep({ noun: 'project', before, after })
}

/** Inserted rows name every column, so defaults of the table do not apply. */
const initialNumbers = { risk_number: 0, issue_number: 0, task_number: 0 }
