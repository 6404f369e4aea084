import type { Selectable } from 'kysely'

import type { Read, Write } from './database.ts'
import { anyOrder, type DirectoryOrder, sortedBy } from './directory.ts'
import { fold, sortName } from './fold.ts'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from './id.ts'
import { isOneOf, nil, type Page } from './keyset.ts'
import {
  containsText,
  countLanes,
  isAmong,
  key,
  type LaneQuery,
  leading,
  selectLanes,
} from './lanes.ts'
import type { DB } from './tables.ts'

/** Where a risk, an issue or a task is: nothing is found under another project than its own. */
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

function projectsQuery(filter: ProjectsFilter, order: DirectoryOrder): LaneQuery {
  return {
    table: 'projects',
    columns,
    ...sortedBy(order),
    ...leading('projects', [
      key('id', 'uuid', filter.ids?.map(uuidOf) ?? null),
      key('owner_user_id', 'uuid', filter.ownerIds?.map(uuidOf) ?? null),
      key('status', 'text', filter.statuses),
    ]),
    search: filter.ids === null && filter.ownerIds === null ? filter.q : null,
    where: [isAmong('status', filter.statuses, 'text'), containsText(filter.q)],
  }
}

export function selectProjects(
  read: Read,
  { filter, order, page }: { filter: ProjectsFilter; order: DirectoryOrder; page: Page },
) {
  return selectLanes(read, projectsQuery(filter, order), { page, present: presentProject })
}

export function countProjects(read: Read, filter: ProjectsFilter, max: number) {
  return countLanes(read, projectsQuery(filter, anyOrder), max)
}

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

/** The names of the projects of a workspace, from one index, a thousand at a time. */
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

/** The numbers of the last references that a project has given out. */
export interface Numbers {
  readonly risk_number: number
  readonly issue_number: number
  readonly task_number: number
}

export interface HeldProject extends Numbers {
  readonly project: StoredProject
}

const presentHeld = (row: Row): HeldProject => ({
  project: presentProject(row),
  risk_number: row.risk_number,
  issue_number: row.issue_number,
  task_number: row.task_number,
})

/** The project as it is now, which cannot change until the write ends. Many writes can hold one. */
export async function holdProject(write: Write, id: string): Promise<HeldProject | null> {
  const row = await write.db
    .selectFrom('projects')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', uuidOf(id))
    .forShare()
    .executeTakeFirst()
  return row ? presentHeld(row) : null
}

/** These projects as they are now, each held by this write alone until it ends. */
export async function lockProjects(write: Write, ids: readonly string[]): Promise<HeldProject[]> {
  const rows = await write.db
    .selectFrom('projects')
    .select(columns)
    .where('workspace_id', '=', write.workspaceId)
    .where(isOneOf('id', ids.map(uuidOf)))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(presentHeld)
}

/** References that were given out are never given again. They are no part of the version. */
export function updateNumbers(write: Write, id: string, numbers: Partial<Numbers>): void {
  write.add(
    write.db
      .updateTable('projects')
      .set(numbers)
      .where('workspace_id', '=', write.workspaceId)
      .where('id', '=', uuidOf(id)),
  )
}

/**
 * Writes a project with all that follows from it. The roll-ups show its name, so a new name is a
 * change of theirs too. `before` is null for a new one.
 */
export function storeProject(
  write: Write,
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
  if (before === null) write.insert('projects', { ...row, ...first, code, created_at })
  else write.update('projects', row)
  const kept = Number(after.status !== 'archived')
  write.count('projects', kept - Number(before !== null && before.status !== 'archived'))
  write.touch('projects')
  if (before !== null && before.name !== after.name) write.touch('risks', 'issues')
  write.keep({ noun: 'project', id: after.id, data: after, isNew: before === null })
}

/** Rows travel whole, so what the table has a default for is said here. */
const first = { risk_number: 0, issue_number: 0, task_number: 0 }
